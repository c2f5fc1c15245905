// The actor in a game.

void AMeshdScene::BeginPlay()
{
	Super::BeginPlay();
	using namespace meshd;
	for (FMeshdThing& Thing : Things)
	{
		const EBodyKind Kind = SceneData.Things[Thing.Row].Kind;
		if (Kind == EBodyKind::Rigid)
		{
			Thing.Body->OnComponentHit.AddDynamic(this, &AMeshdScene::Hit);
			Thing.Body->SetSimulatePhysics(true);
		}
		else if (Kind == EBodyKind::Area)
		{
			Thing.Body->OnComponentBeginOverlap.AddDynamic(this, &AMeshdScene::Entered);
			Thing.Body->OnComponentEndOverlap.AddDynamic(this, &AMeshdScene::Left);
		}
	}
	for (int32 Index = 0; Index < Joints.Num(); ++Index)
	{
		const FJointRow& Row = SceneData.Joints[Index];
		UPhysicsConstraintComponent& Joint = *Joints[Index];
		UPrimitiveComponent* Own = Things[Row.Thing].Body;
		UPrimitiveComponent* Other = Row.Other == INDEX_NONE ? nullptr : Things[Row.Other].Body.Get();
		const FVector Axis = GetActorTransform().TransformVectorNoScale(Vector(Row.Axis)).GetSafeNormal();
		const FVector At = Own->GetComponentLocation();
		const FQuat Frame = FRotationMatrix::MakeFromX(Axis).ToQuat(); // turns around and slides along its X
		Joint.SetWorldLocationAndRotation(At, Frame);
		const bool bFree = Row.Kind == EJointKind::Ball, bTurns = Row.Kind == EJointKind::Hinge, bSlides = Row.Kind == EJointKind::Slider;
		const double Half = (Row.High - Row.Low) / 2.0, Middle = (Row.High + Row.Low) / 2.0;
		Joint.SetLinearXLimit(bSlides ? LCM_Limited : LCM_Locked, bSlides ? Half : 0.0);
		Joint.SetLinearYLimit(LCM_Locked, 0.0);
		Joint.SetLinearZLimit(LCM_Locked, 0.0);
		Joint.SetAngularSwing1Limit(bFree ? ACM_Free : ACM_Locked, 0.0);
		Joint.SetAngularSwing2Limit(bFree ? ACM_Free : ACM_Locked, 0.0);
		Joint.SetAngularTwistLimit(bFree || (bTurns && !Row.bLimited) ? ACM_Free : bTurns ? ACM_Limited : ACM_Locked, bTurns ? Half : 0.0);
		if (Row.bDriven) // a drive holds what nobody turns or moves
		{
			Joint.SetAngularDriveMode(EAngularDriveMode::TwistAndSwing);
			Joint.SetAngularVelocityDriveTwistAndSwing(bTurns, false);
			Joint.SetAngularDriveParams(0.0, 1.0e6, 0.0);
			Joint.SetLinearVelocityDrive(bSlides, false, false);
			Joint.SetLinearDriveParams(0.0, 1.0e6, 0.0);
		}
		Joint.SetConstrainedComponents(Own, NAME_None, Other, NAME_None);
		// The engine's limits lie around the middle: the frame of the body stands so
		// that it meets the other one there. Turns go the other way in mirrored axes.
		const FTransform Body = Own->GetComponentTransform();
		if (bTurns && Row.bLimited)
		{
			const FVector Second = FQuat(Axis, FMath::DegreesToRadians(Middle)).RotateVector(Frame.GetAxisY());
			Joint.SetConstraintReferenceOrientation(EConstraintFrame::Frame1, Body.InverseTransformVectorNoScale(Axis), Body.InverseTransformVectorNoScale(Second));
		}
		if (bSlides)
		{
			Joint.SetConstraintReferencePosition(EConstraintFrame::Frame1, Body.InverseTransformPositionNoScale(At - Axis * Middle));
		}
	}
	if (APlayerController* PC = GetWorld()->GetFirstPlayerController())
	{
		if (SceneData.Air.bImmersive && UHeadMountedDisplayFunctionLibrary::IsHeadMountedDisplayEnabled())
		{
			for (const TCHAR* Side : {TEXT("Left"), TEXT("Right")})
			{
				UMotionControllerComponent* Hand = Part<UMotionControllerComponent>(Side, Ground);
				Hand->SetTrackingMotionSource(FName(Side));
				Hands.Add(Hand);
			}
		}
		PC->bShowMouseCursor = true;
		if (Camera)
		{
			PC->SetViewTarget(this);
			const FCameraRow& Row = SceneData.Cameras[0];
			if (IConsoleVariable* Near = IConsoleManager::Get().FindConsoleVariable(TEXT("r.SetNearClipPlane")))
			{
				Near->Set(Row.Near);
			}
		}
		if (SceneData.Controls.Count > 0)
		{
			Controls = CreateWidget<UMeshdControls>(PC, UMeshdControls::StaticClass());
			Controls->Scene = this;
			Controls->AddToViewport();
		}
	}
	Stage = MakeShared<FStage>(*this);
	Stage->Begin();
}

void AMeshdScene::Tick(float DeltaSeconds)
{
	Super::Tick(DeltaSeconds);
	if (Stage)
	{
		Stage->Advance(DeltaSeconds);
	}
}

void AMeshdScene::EndPlay(const EEndPlayReason::Type Reason)
{
	Stage.Reset();
	if (Controls)
	{
		Controls->RemoveFromParent();
	}
	Super::EndPlay(Reason);
}

void AMeshdScene::RaiseEvent(const FString& Node, const FString& Name, const FString& Json)
{
	if (Stage)
	{
		Stage->Raise(meshd::Plain(Node), meshd::Plain(Name), meshd::JsonOf(Json));
	}
}

void AMeshdScene::SetState(const FString& Key, const FString& Json)
{
	if (Stage)
	{
		Stage->Put(meshd::SceneOwner, meshd::Plain(Key), meshd::JsonOf(Json));
	}
}

FString AMeshdScene::GetState(const FString& Whose, const FString& Key) const
{
	return Stage && Stage->Program ? meshd::Shown(meshd::shown(Stage->Program->state(meshd::Plain(Whose), meshd::Plain(Key)))) : FString();
}

USceneComponent* AMeshdScene::FindNode(const FString& Id) const
{
	for (const FMeshdThing& Thing : Things)
	{
		if (Thing.Id == Id && !Thing.bGone)
		{
			return Thing.Place;
		}
	}
	return nullptr;
}

FString AMeshdScene::GetNotes(const FString& Id) const
{
	meshd::Value Notes;
	if (!meshd::parse(meshd::Joined(meshd::SceneData.Notes), Notes, 256) || !Notes.is(meshd::Kind::Object))
	{
		return FString();
	}
	return meshd::Shown(meshd::shown(Notes.fields().get(meshd::Plain(Id))));
}

void AMeshdScene::TakeState_Implementation(const FString& Node, const FString& Key, const FString& Json)
{
	if (Stage && !HasAuthority())
	{
		Stage->Put(meshd::Plain(Node), meshd::Plain(Key), meshd::JsonOf(Json));
	}
}
