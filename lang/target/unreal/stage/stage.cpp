// The stage: it runs the program in fixed steps and shows what it does.

namespace meshd
{
std::string Plain(const FString& Text)
{
	const FTCHARToUTF8 Converted(*Text);
	return std::string(Converted.Get(), static_cast<std::size_t>(Converted.Length()));
}

FString Shown(const std::string& Text) { return FString(UTF8_TO_TCHAR(Text.c_str())); }

Value JsonOf(const FString& Json)
{
	Value Out;
	if (!Json.IsEmpty() && !parse(Plain(Json), Out, 64))
	{
		Out = Value::str(Plain(Json));
	}
	return Out;
}

std::string Joined(const TRows<const char*>& Pieces)
{
	std::string Out;
	for (const char* Piece : Pieces)
	{
		Out += Piece;
	}
	return Out;
}

Value ListOf(const Triple& T) { return Value::list({Value::num(T[0]), Value::num(T[1]), Value::num(T[2])}); }
FVector EngineVector(const Triple& Metres)
{
	const Triple C = toEngine(Metres);
	return FVector(C[0], C[1], C[2]);
}
Triple ModelVector(const FVector& V) { return toModel({{V.X, V.Y, V.Z}}); }
FQuat EngineTurn(const Turn& T)
{
	const Turn Q = turnToEngine(T);
	return FQuat(Q[0], Q[1], Q[2], Q[3]).GetNormalized();
}
Turn ModelTurn(const FQuat& Q) { return turnToModel({{Q.X, Q.Y, Q.Z, Q.W}}); }

// Names of what a program may change of a look.
const std::unordered_map<std::string, std::string> Looks = {
	{"color", "color"}, {"base_color", "color"}, {"albedo", "color"}, {"opacity", "opacity"}, {"emissive", "emissive"}, {"emissive_color", "emissive"},
	{"emissive_intensity", "emissive_intensity"}, {"metallic", "metallic"}, {"metalness", "metallic"}, {"roughness", "roughness"}, {"intensity", "intensity"}};

class FStage : public Host
{
public:
	explicit FStage(AMeshdScene& InScene) : Scene(InScene) {}

	void Begin();
	void Advance(double Seconds);
	void Raise(const std::string& Node, const std::string& Name, const Value& Payload);
	void Put(const std::string& Owner, const std::string& Key, const Value& V);
	int32 Find(const std::string& Id) const;
	void Met(const UPrimitiveComponent* Own, const UPrimitiveComponent* Other);
	void Overlapped(const UPrimitiveComponent* Own, const UPrimitiveComponent* Other, bool bIn);
	void SoundsEnded();

	// What the machine tells and asks.
	bool call(const std::string& Name, const std::string& Node, const std::vector<Value>& Args, Value& Answer) override;
	void logged(const std::string& Node, const std::string& Text) override;
	void faulted(const std::string& Node, const Fault& F) override;
	void stateChanged(const std::string& Owner, const std::string& Key, const Value& V) override;
	void propertyChanged(const std::string& Node, const std::string& Key) override;
	void spawned(const std::string& Id, const std::string& Name, const std::string& Like, const std::string& Parent) override;
	void destroyed(const std::string& Id) override;

	std::unique_ptr<Machine> Program;

private:
	struct FPlaying { Track Row; int32 Thing; double Time; bool bOn; };
	struct FSpark { FVector At, Speed; double Age, Life; };
	struct FSparks { int32 Thing; const FSparkRow* Row; double Owed; std::vector<FSpark> Live; };
	struct FHold { std::string Hand; int32 Thing; FVector To; };

	FMeshdThing& At(int32 Index) const { return Scene.Things[Index]; }
	APlayerController* Player() const;
	FTransform Above(int32 Index) const;
	bool IsSeen(int32 Index) const;
	int32 Copy(int32 Row, const FString& Id, const FString& Name, int32 Parent);
	void Remove(int32 Index);
	void Animate(int32 Row, int32 Index);
	void Settle(int32 Index);
	void ShowThings();
	void Tell(const std::string& Node, const std::string& Key, const Value& V);
	void PutPlace(int32 Index, const std::string& Part, const std::vector<double>& Numbers);
	void PutLook(int32 Index, const std::string& Key, const Value& V);
	void StepTracks(double Seconds);
	void Apply(const Track& T, int32 Index, double Time);
	bool PlayTracks(const std::string& Node, const std::string& Name, bool bOn);
	bool PlaySound(const std::string& Node, const std::string& Name, bool bOn);
	bool Start(const FSoundRow& Row, int32 Index);
	bool Stop(int32 Index);
	const FSoundRow* SoundOf(int32 Index) const;
	bool Push(const std::string& Name, int32 Index, const Value& V);
	void Moved(double Seconds);
	void Gravity();
	void Pointer();
	void Keys();
	void HandsOf();
	int32 UnderPointer(FVector& Where) const;
	int32 ThingOf(const UPrimitiveComponent* Component) const;
	int32 Grabbed(int32 Index) const;
	bool Take(int32 Index, const std::string& Hand, const FVector& To);
	void LetGo(const std::string& Hand);
	Value PointOf(const FVector& Where, const std::string& Hand) const;
	void StepSparks(double Seconds);
	double Chance() { return static_cast<double>((Draw = Draw * 1664525u + 1013904223u) >> 8) / 16777216.0; }

	AMeshdScene& Scene;
	std::unordered_map<std::string, int32> Ids, Prototypes; // by the ids of nodes: things, and rows
	std::vector<int32> Free; // places of things that are no more
	std::vector<Node> Known; // as the program sees them
	std::vector<std::pair<std::string, std::string>> Dirty;
	std::vector<FPlaying> Tracks;
	std::vector<FSparks> Sparks;
	std::vector<FHold> Held;
	std::map<std::pair<int32, int32>, double> Contacts; // and when each was last felt
	std::vector<std::pair<std::string, std::string>> Parted; // contacts with what is no more
	std::set<int32> Playing;
	int32 Over = INDEX_NONE, Down = INDEX_NONE;
	FVector DownAt = FVector::ZeroVector;
	double Rest = 0, Now = 0, LastClick = -1, Reach = 0;
	int32 LastClicked = INDEX_NONE;
	std::uint32_t Draw = 1;
	bool bUnshown = true;
};

void FStage::Begin()
{
	for (int32 Row = 0; Row < SceneData.Things.Count; ++Row)
	{
		(SceneData.Things[Row].bPrototype ? Prototypes : Ids)[Plain(SceneData.Things[Row].Id)] = Row;
	}
	const int32 Last = Scene.Things.Num();
	for (int32 Index = 0; Index < Last; ++Index)
	{
		Animate(Scene.Things[Index].Row, Index);
	}
	meshd::Program Loaded;
	if (SceneData.Program.Count > 0 && load(Joined(SceneData.Program), Loaded))
	{
		Value Rows;
		if (parse(Joined(SceneData.Nodes), Rows, 256) && Rows.is(Kind::List))
		{
			for (const Value& Row : Rows.items().items)
			{
				const std::vector<Value>& Parts = Row.items().items;
				Known.push_back({Parts[0].text(), Parts[1].text(), Parts[2].text(), Parts[3]});
			}
		}
		Program = std::make_unique<Machine>(std::move(Loaded), Known, this);
		Program->start();
		Program->eachState([this](const std::string& Owner, const std::string& Key, const Value& V) { stateChanged(Owner, Key, V); });
	}
	for (const FPlaying& T : Tracks)
	{
		if (T.bOn)
		{
			Apply(T.Row, T.Thing, 0);
		}
	}
}

// Advance moves the time; a game that slept does not catch up more than a quarter
// of a second.
void FStage::Advance(double Seconds)
{
	Now += Seconds;
	Gravity();
	Pointer();
	Keys();
	HandsOf();
	const double Step = 1.0 / (Program ? Program->program().spatial : 60);
	Rest = FMath::Min(Rest + Seconds, 0.25);
	while (Rest >= Step - 1e-9)
	{
		Rest -= Step;
		if (Program)
		{
			Program->step();
		}
		StepTracks(Step);
	}
	const std::vector<std::pair<std::string, std::string>> Changed = std::move(Dirty);
	Dirty.clear();
	for (const auto& Entry : Changed)
	{
		Tell(Entry.first, Entry.second, Program->property(Entry.first, Entry.second));
	}
	Moved(Seconds);
	StepSparks(Seconds);
	if (bUnshown)
	{
		ShowThings();
	}
}

int32 FStage::Find(const std::string& Id) const
{
	const auto It = Ids.find(Id);
	return It == Ids.end() ? INDEX_NONE : It->second;
}

void FStage::Raise(const std::string& Node, const std::string& Name, const Value& Payload)
{
	if (Program)
	{
		Program->inject(Node, Name, Payload);
	}
	Scene.OnEvent.Broadcast(Shown(Node), Shown(Name), Shown(shown(Payload)));
}

void FStage::Put(const std::string& Owner, const std::string& Key, const Value& V)
{
	if (Program)
	{
		Program->put(Owner, Key, V);
	}
}

void FStage::logged(const std::string& Node, const std::string& Text)
{
	UE_LOG(LogTemp, Display, TEXT("%s"), *Shown(Text));
	Scene.OnLog.Broadcast(Shown(Node), TEXT("log"), Shown(quote(Text)));
}

void FStage::faulted(const std::string& Node, const Fault& F)
{
	UE_LOG(LogTemp, Warning, TEXT("%s %s in %s, line %d"), *Shown(F.code), *Shown(F.message), *Shown(F.function), F.line);
	Scene.OnLog.Broadcast(Shown(Node), Shown(F.code), Shown(quote(F.message)));
}

void FStage::stateChanged(const std::string& Owner, const std::string& Key, const Value& V)
{
	const FString Json = Shown(shown(V));
	Scene.OnState.Broadcast(Shown(Owner), Shown(Key), Json);
	if (Scene.Controls && Owner == SceneOwner)
	{
		Scene.Controls->Tell(Shown(Key), V);
	}
	const int32 Index = Find(Owner);
	if (Index != INDEX_NONE && SceneData.Things[At(Index).Row].bShared && Scene.HasAuthority() && Scene.GetNetMode() != NM_Standalone)
	{
		Scene.TakeState(Shown(Owner), Shown(Key), Json);
	}
}

void FStage::propertyChanged(const std::string& Node, const std::string& Key)
{
	const std::pair<std::string, std::string> Entry(Node, Key);
	if (std::find(Dirty.begin(), Dirty.end(), Entry) == Dirty.end())
	{
		Dirty.push_back(Entry);
	}
}

// call is an operation of the outside.
bool FStage::call(const std::string& Name, const std::string& Node, const std::vector<Value>& Args, Value&)
{
	std::string Target = Node, Text;
	for (const Value& V : Args)
	{
		if (V.is(Kind::Text) && Text.empty())
		{
			Text = V.text();
		}
	}
	if (!Args.empty() && Args[0].is(Kind::Node))
	{
		Target = Args[0].text();
	}
	const bool bStarts = Name == "play" || Name == "play_sound" || Name == "play_animation";
	if (bStarts || Name == "stop" || Name == "stop_sound" || Name == "stop_animation")
	{
		if (Name == "play_animation" || Name == "stop_animation")
		{
			PlayTracks(Target, Text, bStarts);
		}
		else
		{
			PlaySound(Target, Text, bStarts);
		}
		return true;
	}
	if (Push(Name, Find(Target), Args.empty() ? Value() : Args.back()))
	{
		return true;
	}
	if (!Scene.OnHost.IsBound())
	{
		return false;
	}
	Scene.OnHost.Broadcast(Shown(Node), Shown(Name), Shown(shown(Value::list(Args))));
	return Name != "llm_call"; // the game answers by an event; the stub answers at once
}

// Tell shows a property that a program changed.
void FStage::Tell(const std::string& Node, const std::string& Key, const Value& V)
{
	const int32 Index = Find(Node);
	const auto Look = Looks.find(Key);
	if (Index == INDEX_NONE)
	{
		if (Scene.Controls && Node == SceneOwner)
		{
			Scene.Controls->Tell(Shown(Key), V);
		}
		Scene.OnState.Broadcast(Shown(Node), Shown(Key), Shown(shown(V)));
		return;
	}
	if (Key == "position" || Key == "rotation" || Key == "scale")
	{
		std::vector<double> Numbers;
		if (Key == "scale" && V.is(Kind::Number))
		{
			Numbers = {V.real(), V.real(), V.real()};
		}
		else if (V.is(Kind::List))
		{
			for (const Value& N : V.items().items)
			{
				if (!N.is(Kind::Number) || !std::isfinite(N.real()))
				{
					return;
				}
				Numbers.push_back(N.real());
			}
		}
		if (Numbers.size() >= 2 && Numbers.size() <= 4)
		{
			Numbers.resize(FMath::Max<std::size_t>(Numbers.size(), 3), 0.0);
			PutPlace(Index, Key, Numbers);
			const FThingRow& Row = SceneData.Things[At(Index).Row];
			if (Key == "position" && Row.bPrototype)
			{
				At(Index).Shift = At(Index).At - Vector(Row.At);
			}
		}
	}
	else if (Key == "visible")
	{
		At(Index).bShown = truthy(V);
		bUnshown = true;
	}
	else if (Key == "text")
	{
		if (At(Index).Text)
		{
			At(Index).Text->SetText(FText::FromString(V.isNull() ? FString() : Shown(textOf(V))));
		}
	}
	else if (Look != Looks.end())
	{
		PutLook(Index, Look->second, V);
	}
	else
	{
		if (Key == "volume" && V.is(Kind::Number) && At(Index).Sound)
		{
			At(Index).Sound->SetVolumeMultiplier(static_cast<float>(FMath::Clamp(V.real(), 0.0, 4.0)));
		}
		Scene.OnState.Broadcast(Shown(Node), Shown(Key), Shown(shown(V)));
	}
}

void FStage::PutPlace(int32 Index, const std::string& Part, const std::vector<double>& N)
{
	FMeshdThing& Thing = At(Index);
	if (Part == "position")
	{
		Thing.At = EngineVector({{N[0], N[1], N[2]}});
	}
	else if (Part == "scale")
	{
		const Triple S = scaleToEngine({{N[0], N[1], N[2]}});
		Thing.Size = FVector(S[0], S[1], S[2]);
	}
	else
	{
		Thing.Turn = EngineTurn(N.size() == 4 ? Turn{{N[0], N[1], N[2], N[3]}} : turnOf({{N[0], N[1], N[2]}}));
	}
	Settle(Index);
}

FTransform FStage::Above(int32 Index) const
{
	const int32 Parent = At(Index).Parent;
	return Parent == INDEX_NONE ? Scene.Ground->GetComponentTransform() : At(Parent).Inside->GetComponentTransform();
}

// Settle puts a node where the program has it. A body has no scale: what belongs
// to it has that of the world.
void FStage::Settle(int32 Index)
{
	FMeshdThing& Thing = At(Index);
	if (!Thing.Body)
	{
		Thing.Place->SetRelativeTransform(FTransform(Thing.Turn, Thing.At, Thing.Size));
		return;
	}
	const FTransform World = FTransform(Thing.Turn, Thing.At, Thing.Size) * Above(Index);
	Thing.Body->SetWorldLocationAndRotation(World.GetLocation(), World.GetRotation(), false, nullptr, ETeleportType::TeleportPhysics);
	Thing.Inside->SetRelativeScale3D(World.GetScale3D());
	if (Thing.Body->IsSimulatingPhysics())
	{
		Thing.Body->WakeAllRigidBodies();
	}
}

bool FStage::IsSeen(int32 Index) const
{
	while (Index != INDEX_NONE && At(Index).bShown && !At(Index).bGone)
	{
		Index = At(Index).Parent;
	}
	return Index == INDEX_NONE;
}

// ShowThings shows what is visible with all that is above it.
void FStage::ShowThings()
{
	bUnshown = false;
	for (int32 Index = 0; Index < Scene.Things.Num(); ++Index)
	{
		FMeshdThing& Thing = At(Index);
		const bool bSeen = IsSeen(Index);
		for (USceneComponent* Part : std::initializer_list<USceneComponent*>{Thing.Mesh, Thing.Model, Thing.Light, Thing.Text, Thing.Sparks})
		{
			if (Part != nullptr)
			{
				Part->SetVisibility(bSeen);
			}
		}
		if (Thing.Touch)
		{
			Thing.Touch->SetCollisionEnabled(bSeen ? ECollisionEnabled::QueryOnly : ECollisionEnabled::NoCollision);
		}
	}
}

void FStage::PutLook(int32 Index, const std::string& Key, const Value& V)
{
	FMeshdThing& Thing = At(Index);
	std::array<double, 4> C;
	const bool bColour = (Key == "color" || Key == "emissive") && colourOf(V, C);
	const FLinearColor Linear = bColour ? FLinearColor::FromSRGBColor(FColor(static_cast<uint8>(FMath::Clamp(C[0], 0.0, 1.0) * 255.0 + 0.5), static_cast<uint8>(FMath::Clamp(C[1], 0.0, 1.0) * 255.0 + 0.5), static_cast<uint8>(FMath::Clamp(C[2], 0.0, 1.0) * 255.0 + 0.5))) : FLinearColor::White;
	if (Thing.Light && Key == "intensity" && V.is(Kind::Number))
	{
		Thing.Light->SetIntensity(static_cast<float>(8.0 * FMath::Max(V.real(), 0.0)));
	}
	if (Thing.Light && Key == "color" && bColour)
	{
		Thing.Light->SetLightColor(Linear);
	}
	if (!Thing.Look)
	{
		return;
	}
	if (Key == "color" && bColour)
	{
		const FLinearColor Old = Thing.Look->K2_GetVectorParameterValue(TEXT("Color"));
		Thing.Look->SetVectorParameterValue(TEXT("Color"), FLinearColor(Linear.R, Linear.G, Linear.B, Old.A));
	}
	else if (Key == "emissive" && bColour)
	{
		Thing.Look->SetVectorParameterValue(TEXT("Glow"), Linear);
	}
	else if (V.is(Kind::Number))
	{
		const float Number = static_cast<float>(V.real());
		if (Key == "opacity")
		{
			const FLinearColor Old = Thing.Look->K2_GetVectorParameterValue(TEXT("Color"));
			const FSurfaceRow& Row = SceneData.Surfaces[SceneData.Things[Thing.Row].Surface];
			if (Number < 1.0f && Row.Blend == EBlendKind::Opaque && Thing.Mesh && Thing.Look->Parent.Get() != Scene.ParentOf(TEXT("Blended")))
			{
				FSurfaceRow Blended = Row;
				Blended.Blend = EBlendKind::Blended;
				UMaterialInstanceDynamic* Next = Scene.LookOf(Blended);
				Next->CopyParameterOverrides(Thing.Look);
				Thing.Look = Next;
				Thing.Mesh->SetMaterial(0, Next);
			}
			Thing.Look->SetVectorParameterValue(TEXT("Color"), FLinearColor(Old.R, Old.G, Old.B, FMath::Clamp(Number, 0.0f, 1.0f)));
		}
		else if (Key == "emissive_intensity")
		{
			Thing.Look->SetScalarParameterValue(TEXT("GlowStrength"), Neutral * FMath::Max(Number, 0.0f));
		}
		else if (Key == "metallic")
		{
			Thing.Look->SetScalarParameterValue(TEXT("Metallic"), FMath::Clamp(Number, 0.0f, 1.0f));
		}
		else if (Key == "roughness")
		{
			Thing.Look->SetScalarParameterValue(TEXT("Roughness"), FMath::Clamp(Number, 0.0f, 1.0f));
		}
	}
}

// PlayTracks starts the animations of a node anew, or stops them: those of a
// property, or all.
bool FStage::PlayTracks(const std::string& Node, const std::string& Name, bool bOn)
{
	bool bFound = false;
	const int32 Index = Find(Node);
	for (FPlaying& T : Tracks)
	{
		if (Index == T.Thing && (Name.empty() || Name == T.Row.property))
		{
			T.Time = 0;
			T.bOn = bOn;
			bFound = true;
		}
	}
	return bFound;
}

void FStage::StepTracks(double Seconds)
{
	for (FPlaying& T : Tracks)
	{
		if (!T.bOn)
		{
			continue;
		}
		T.Time += Seconds;
		Apply(T.Row, T.Thing, T.Time);
		const double End = T.Row.keys[(T.Row.count - 1) * T.Row.width];
		if (T.Row.loop >= 0 && T.Time >= End * (T.Row.loop + 1))
		{
			T.bOn = false;
			if (At(T.Thing).Id.IsEmpty())
			{
				continue; // below a copy that was made by its name
			}
			const Value Payload = Value::object();
			Payload.fields().put("name", Value::str(T.Row.property));
			Raise(Plain(At(T.Thing).Id), "animation_end", Payload);
		}
	}
}

// Apply shows an animation at a time. Keys of places are those of the prototype: a
// copy counts them from where a program put it.
void FStage::Apply(const Track& T, int32 Index, double Time)
{
	const std::vector<double> N = sample(T, Time);
	const std::string Property = T.property;
	const char Part = Property[0];
	const bool bPlace = (Part == 't' || Part == 'r' || Part == 's') && (Property.size() == 1 || Property[1] == '.');
	if (!bPlace)
	{
		const auto Look = Looks.find(Property);
		Value V = Value::num(N[0]);
		if (N.size() > 1)
		{
			std::vector<Value> Parts;
			for (const double X : N)
			{
				Parts.push_back(Value::num(X));
			}
			V = Value::list(Parts);
		}
		PutLook(Index, Look == Looks.end() ? Property : Look->second, V);
		return;
	}
	std::vector<double> Numbers = N;
	const Triple Shift = Part == 't' ? ModelVector(At(Index).Shift) : Triple{};
	if (Property.size() == 1)
	{
		for (std::size_t K = 0; K < Numbers.size() && K < 3; ++K)
		{
			Numbers[K] += Shift[K];
		}
	}
	else if (Property.size() == 3)
	{
		const FMeshdThing& Thing = At(Index);
		const Triple Old = Part == 't' ? ModelVector(Thing.At) : scaleToModel({{Thing.Size.X, Thing.Size.Y, Thing.Size.Z}});
		Numbers = {Old[0], Old[1], Old[2]};
		const std::size_t K = Property[2] == 'x' ? 0 : Property[2] == 'y' ? 1 : 2;
		Numbers[K] = N[0] + Shift[K];
	}
	if (Numbers.size() >= 3)
	{
		PutPlace(Index, Part == 't' ? "position" : Part == 's' ? "scale" : "rotation", Numbers);
	}
}
} // namespace meshd
