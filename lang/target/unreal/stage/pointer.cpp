// The pointer, the keyboard, and the controllers of a headset.

namespace meshd
{
APlayerController* FStage::Player() const { return Scene.GetWorld()->GetFirstPlayerController(); }

Value FStage::PointOf(const FVector& Where, const std::string& Hand) const
{
	const Value Out = Value::object();
	Out.fields().put("point", ListOf(ModelVector(Scene.Ground->GetComponentTransform().InverseTransformPosition(Where))));
	Out.fields().put("hand", Value::str(Hand));
	return Out;
}

// UnderPointer is the visible node that the pointer is over.
int32 FStage::UnderPointer(FVector& Where) const
{
	FHitResult Result;
	if (!Player()->GetHitResultUnderCursor(ECC_Visibility, false, Result))
	{
		return INDEX_NONE;
	}
	Where = Result.ImpactPoint;
	const int32 Index = ThingOf(Result.GetComponent());
	return IsSeen(Index) ? Index : INDEX_NONE;
}

// Grabbed is the node that a hand takes where it meets another: itself or one
// above it.
int32 FStage::Grabbed(int32 Index) const
{
	while (Index != INDEX_NONE && !SceneData.Things[At(Index).Row].bGrab)
	{
		Index = At(Index).Parent;
	}
	return Index;
}

bool FStage::Take(int32 Index, const std::string& Hand, const FVector& To)
{
	for (const FHold& Hold : Held)
	{
		if (Hold.Thing == Index || Hold.Hand == Hand)
		{
			return false;
		}
	}
	Held.push_back({Hand, Index, To});
	const Value Payload = Value::object();
	Payload.fields().put("hand", Value::str(Hand));
	Raise(Plain(At(Index).Id), "grab", Payload);
	return true;
}

void FStage::LetGo(const std::string& Hand)
{
	for (std::size_t K = 0; K < Held.size(); ++K)
	{
		if (Held[K].Hand != Hand)
		{
			continue;
		}
		const FMeshdThing& Thing = At(Held[K].Thing);
		Held.erase(Held.begin() + static_cast<std::ptrdiff_t>(K));
		const double Speed = Thing.Body && Thing.Body->IsSimulatingPhysics() ? Thing.Body->GetPhysicsLinearVelocity().Size() / 100.0 : 0.0;
		const Value Payload = Value::object();
		Payload.fields().put("hand", Value::str(Hand));
		Payload.fields().put("speed", Value::num(Speed));
		const std::string Id = Plain(Thing.Id);
		Raise(Id, "release", Payload);
		Raise(Id, Speed > 1.0 ? "throw" : "drop", Payload);
		return;
	}
}

void FStage::Pointer()
{
	APlayerController* PC = Player();
	if (PC == nullptr || !PC->bShowMouseCursor)
	{
		return;
	}
	FVector Where = FVector::ZeroVector, Eye, Along;
	const int32 Found = UnderPointer(Where);
	const bool bRay = PC->DeprojectMousePositionToWorld(Eye, Along);
	if (Found != Over)
	{
		const Value Payload = Value::object();
		Payload.fields().put("hand", Value::str("pointer"));
		if (Over != INDEX_NONE)
		{
			Raise(Plain(At(Over).Id), "hover_exit", Payload);
		}
		if (Found != INDEX_NONE)
		{
			Raise(Plain(At(Found).Id), "hover_enter", Payload);
		}
		Over = Found;
	}
	if (PC->WasInputKeyJustPressed(EKeys::LeftMouseButton) && Found != INDEX_NONE)
	{
		Down = Found;
		DownAt = Where;
		Raise(Plain(At(Found).Id), "press", PointOf(Where, "pointer"));
		const int32 Grab = Grabbed(Found);
		if (Grab != INDEX_NONE && bRay && Take(Grab, "pointer", At(Grab).Place->GetComponentLocation()))
		{
			Reach = FVector::Dist(Eye, Where);
			DownAt = At(Grab).Place->GetComponentLocation() - Where;
		}
	}
	for (FHold& Hold : Held)
	{
		if (Hold.Hand == "pointer" && bRay)
		{
			const FVector To = Eye + Along * Reach + DownAt;
			if (!To.Equals(Hold.To, 0.01))
			{
				Hold.To = To;
				const Value Payload = Value::object();
				Payload.fields().put("position", ListOf(ModelVector(Scene.Ground->GetComponentTransform().InverseTransformPosition(To))));
				Raise(Plain(At(Hold.Thing).Id), "drag", Payload);
			}
		}
	}
	if (!PC->WasInputKeyJustReleased(EKeys::LeftMouseButton))
	{
		return;
	}
	LetGo("pointer");
	if (Down == INDEX_NONE)
	{
		return;
	}
	const std::string Id = Plain(At(Down).Id);
	Raise(Id, "release", PointOf(Where, "pointer"));
	if (Down == Found)
	{
		if (LastClicked == Down && Now - LastClick < 0.4)
		{
			Raise(Id, "double_click", PointOf(Where, "pointer"));
		}
		LastClicked = Down;
		LastClick = Now;
		Raise(Id, "click", PointOf(Where, "pointer"));
		Raise(Id, "tap", PointOf(Where, "pointer"));
	}
	Down = INDEX_NONE;
}

void FStage::Keys()
{
	APlayerController* PC = Player();
	if (PC == nullptr || !Program || !(Program->hears("key_down") || Program->hears("key_up")))
	{
		return;
	}
	TArray<FKey> All;
	EKeys::GetAllKeys(All);
	for (const FKey& Key : All)
	{
		if (!Key.IsDigital() || Key.IsMouseButton() || Key.IsGamepadKey())
		{
			continue;
		}
		const bool bPressed = PC->WasInputKeyJustPressed(Key);
		if (bPressed || PC->WasInputKeyJustReleased(Key))
		{
			const Value Payload = Value::object();
			Payload.fields().put("key", Value::str(Plain(Key.ToString())));
			Raise(Everywhere, bPressed ? "key_down" : "key_up", Payload);
		}
	}
}

// HandsOf are two controllers: each points along its X, its trigger selects, its
// grip grabs. The names of their keys are those of the common devices.
void FStage::HandsOf()
{
	static const TCHAR* const Devices[] = {TEXT("OculusTouch"), TEXT("ValveIndex"), TEXT("Vive"), TEXT("MixedReality"), TEXT("PicoTouch")};
	APlayerController* PC = Player();
	if (PC == nullptr)
	{
		return;
	}
	for (int32 Side = 0; Side < Scene.Hands.Num(); ++Side)
	{
		const FString Name = Side == 0 ? TEXT("Left") : TEXT("Right");
		const std::string Hand = Side == 0 ? "left" : "right";
		const FVector From = Scene.Hands[Side]->GetComponentLocation();
		const FVector Along = Scene.Hands[Side]->GetForwardVector();
		FHitResult Result;
		const bool bHit = Scene.GetWorld()->LineTraceSingleByChannel(Result, From, From + Along * 2000.0, ECC_Visibility);
		const int32 Index = bHit ? ThingOf(Result.GetComponent()) : INDEX_NONE;
		for (const TCHAR* Device : Devices)
		{
			const FKey Trigger(*FString::Printf(TEXT("%s_%s_Trigger_Click"), Device, *Name)), Grip(*FString::Printf(TEXT("%s_%s_Grip_Click"), Device, *Name));
			if (Index != INDEX_NONE && PC->WasInputKeyJustPressed(Trigger))
			{
				const std::string Id = Plain(At(Index).Id);
				Raise(Id, "press", PointOf(Result.ImpactPoint, Hand));
				Raise(Id, "click", PointOf(Result.ImpactPoint, Hand));
				Raise(Id, "tap", PointOf(Result.ImpactPoint, Hand));
			}
			if (Index != INDEX_NONE && PC->WasInputKeyJustPressed(Grip) && Grabbed(Index) != INDEX_NONE)
			{
				Take(Grabbed(Index), Hand, From);
			}
			if (PC->WasInputKeyJustReleased(Grip))
			{
				LetGo(Hand);
			}
		}
		for (FHold& Hold : Held)
		{
			if (Hold.Hand == Hand)
			{
				Hold.To = From;
			}
		}
	}
}
} // namespace meshd
