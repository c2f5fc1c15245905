// Bodies: the engine moves them, and the program hears of it.

namespace meshd
{
int32 FStage::ThingOf(const UPrimitiveComponent* Component) const
{
	for (int32 Index = 0; Component != nullptr && Index < Scene.Things.Num(); ++Index)
	{
		const FMeshdThing& Thing = At(Index);
		if ((Thing.Body == Component || Thing.Touch == Component) && !Thing.bGone)
		{
			return Index;
		}
	}
	return INDEX_NONE;
}

// Gravity is that of the scene, in any direction and by the body's own factor.
void FStage::Gravity()
{
	const FVector Pull = Vector(SceneData.Air.Gravity);
	for (const FMeshdThing& Thing : Scene.Things)
	{
		if (Thing.bGone)
		{
			continue;
		}
		const FThingRow& Row = SceneData.Things[Thing.Row];
		if (Row.Kind == EBodyKind::Rigid && Thing.Body->IsSimulatingPhysics() && Thing.Body->IsAnyRigidBodyAwake() && SceneData.Bodies[Row.Body].GravityFactor != 0.0)
		{
			Thing.Body->AddForce(Pull * SceneData.Bodies[Row.Body].GravityFactor, NAME_None, true);
		}
	}
}

// Moved tells the program where bodies went, and carries what hands hold.
void FStage::Moved(double Seconds)
{
	for (const FHold& Hold : Held)
	{
		FMeshdThing& Thing = At(Hold.Thing);
		if (Thing.Body && Thing.Body->IsSimulatingPhysics())
		{
			const FVector Speed = (Hold.To - Thing.Body->GetComponentLocation()) / FMath::Max(Seconds, 0.001);
			Thing.Body->SetPhysicsLinearVelocity(Speed.GetClampedToMaxSize(2000.0));
			Thing.Body->SetPhysicsAngularVelocityInRadians(FVector::ZeroVector);
			continue;
		}
		Thing.At = Above(Hold.Thing).InverseTransformPosition(Hold.To);
		Settle(Hold.Thing);
		if (Program && !Thing.Id.IsEmpty())
		{
			Program->place(Plain(Thing.Id), "position", ListOf(ModelVector(Thing.At)));
		}
	}
	for (int32 Index = 0; Index < Scene.Things.Num(); ++Index)
	{
		FMeshdThing& Thing = At(Index);
		if (Thing.bGone || SceneData.Things[Thing.Row].Kind != EBodyKind::Rigid || !Thing.Body->IsSimulatingPhysics())
		{
			continue;
		}
		const FTransform Local = Thing.Body->GetComponentTransform().GetRelativeTransform(Above(Index));
		if (Local.GetLocation().Equals(Thing.At, 0.0001) && Local.GetRotation().Equals(Thing.Turn, 0.000001))
		{
			continue;
		}
		Thing.At = Local.GetLocation();
		Thing.Turn = Local.GetRotation();
		if (Program && !Thing.Id.IsEmpty())
		{
			Program->place(Plain(Thing.Id), "position", ListOf(ModelVector(Thing.At)));
			Program->place(Plain(Thing.Id), "rotation", ListOf(anglesOf(ModelTurn(Thing.Turn))));
		}
	}
	const std::vector<std::pair<std::string, std::string>> Ended = std::move(Parted);
	Parted.clear();
	for (const auto& Pair : Ended)
	{
		const Value Payload = Value::object();
		Payload.fields().put("other", Value::str(Pair.second));
		Raise(Pair.first, "collision_exit", Payload);
	}
	// A contact that was not felt for a while is over; bodies at rest feel nothing.
	for (auto It = Contacts.begin(); It != Contacts.end();)
	{
		const FMeshdThing& Own = At(It->first.first);
		if (Own.Body && !Own.Body->IsAnyRigidBodyAwake())
		{
			It->second = Now;
		}
		if (Now - It->second < 0.1)
		{
			++It;
			continue;
		}
		const std::pair<int32, int32> Pair = It->first;
		It = Contacts.erase(It);
		const Value Payload = Value::object();
		Payload.fields().put("other", Value::str(Plain(At(Pair.second).Id)));
		Raise(Plain(At(Pair.first).Id), "collision_exit", Payload);
	}
	SoundsEnded();
}

// Met is felt by both bodies, again and again while they touch.
void FStage::Met(const UPrimitiveComponent* Own, const UPrimitiveComponent* Other)
{
	const int32 A = ThingOf(Own), B = ThingOf(Other);
	if (A == INDEX_NONE || B == INDEX_NONE || A == B)
	{
		return;
	}
	for (const std::pair<int32, int32>& Pair : {std::make_pair(A, B), std::make_pair(B, A)})
	{
		if (Contacts.count(Pair) == 0)
		{
			const Value Payload = Value::object();
			Payload.fields().put("other", Value::str(Plain(At(Pair.second).Id)));
			Raise(Plain(At(Pair.first).Id), "collision_enter", Payload);
		}
		Contacts[Pair] = Now;
	}
}

void FStage::Overlapped(const UPrimitiveComponent* Own, const UPrimitiveComponent* Other, bool bIn)
{
	const int32 A = ThingOf(Own), B = ThingOf(Other);
	if (A == INDEX_NONE || B == INDEX_NONE || A == B)
	{
		return;
	}
	const bool bBothAreas = SceneData.Things[At(B).Row].Kind == EBodyKind::Area;
	for (const std::pair<int32, int32>& Pair : {std::make_pair(A, B), std::make_pair(B, A)})
	{
		if (Pair.first == B && bBothAreas)
		{
			continue; // the other area says so itself
		}
		const Value Payload = Value::object();
		Payload.fields().put("other", Value::str(Plain(At(Pair.second).Id)));
		Raise(Plain(At(Pair.first).Id), bIn ? "trigger_enter" : "trigger_exit", Payload);
	}
}

// Push does what a program asks of a body; false when it is none of these.
bool FStage::Push(const std::string& Name, int32 Index, const Value& V)
{
	if (Name != "apply_impulse" && Name != "apply_force" && Name != "set_velocity")
	{
		return false;
	}
	Triple By{{0, 0, 0}};
	for (std::size_t K = 0; K < 3; ++K)
	{
		Value Part;
		if (V.is(Kind::List) && V.items().items.size() > K)
		{
			Part = V.items().items[K];
		}
		else if (V.is(Kind::Object))
		{
			Part = V.fields().get(K == 0 ? "x" : K == 1 ? "y" : "z");
		}
		By[K] = Part.is(Kind::Number) && std::isfinite(Part.real()) ? Part.real() : 0.0;
	}
	if (Index == INDEX_NONE || !At(Index).Body || !At(Index).Body->IsSimulatingPhysics())
	{
		return true;
	}
	UPrimitiveComponent& Body = *At(Index).Body;
	if (Name == "set_velocity")
	{
		Body.SetPhysicsLinearVelocity(EngineVector(By));
	}
	else if (Name == "apply_impulse") // newton seconds are kilograms times centimetres a second here
	{
		Body.AddImpulse(EngineVector(By));
	}
	else // a force is for one step
	{
		Body.AddImpulse(EngineVector(By) / 60.0);
	}
	return true;
}
} // namespace meshd

void AMeshdScene::Hit(UPrimitiveComponent* Own, AActor*, UPrimitiveComponent* Other, FVector, const FHitResult&)
{
	if (Stage)
	{
		Stage->Met(Own, Other);
	}
}

void AMeshdScene::Entered(UPrimitiveComponent* Own, AActor*, UPrimitiveComponent* Other, int32, bool, const FHitResult&)
{
	if (Stage)
	{
		Stage->Overlapped(Own, Other, true);
	}
}

void AMeshdScene::Left(UPrimitiveComponent* Own, AActor*, UPrimitiveComponent* Other, int32)
{
	if (Stage)
	{
		Stage->Overlapped(Own, Other, false);
	}
}
