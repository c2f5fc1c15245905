// The components of the nodes.

namespace
{
FVector Vector(const double (&V)[3]) { return FVector(V[0], V[1], V[2]); }
FLinearColor Colour(const float (&C)[3]) { return FLinearColor(C[0], C[1], C[2], 1.0f); }
bool IsTouched(const meshd::FThingRow& Row) { return Row.Touch[0] > 0.0; }
} // namespace

AMeshdScene::AMeshdScene()
{
	using namespace meshd;
	PrimaryActorTick.bCanEverTick = true;
	bReplicates = true;
	bConstructing = true;
	Ground = CreateDefaultSubobject<USceneComponent>(TEXT("Ground"));
	SetRootComponent(Ground);
	Things.Reset();
	for (int32 Row = 0; Row < SceneData.Things.Count; ++Row)
	{
		const FThingRow& From = SceneData.Things[Row];
		if (!From.bPrototype)
		{
			MakeThing(Row, From.Id, From.Name, From.Parent);
		}
	}
	MakeJoints();
	MakeAir();
	bConstructing = false;
}

// Part makes a component; in the constructor it is one of the class, later one of
// this actor alone.
template <class T> T* AMeshdScene::Part(const FString& Name, USceneComponent* Under)
{
	T* Out = bConstructing ? CreateDefaultSubobject<T>(FName(*Name)) : NewObject<T>(this, FName(*Name));
	Out->SetMobility(EComponentMobility::Movable);
	Out->SetupAttachment(Under);
	if (!bConstructing)
	{
		Out->RegisterComponent();
	}
	return Out;
}

// MakeThing makes what stands for a node, and gives its place among the things: a
// free one, or a new one behind them.
int32 AMeshdScene::MakeThing(int32 Row, const FString& Id, const FString& Name, int32 Parent, int32 Free)
{
	using namespace meshd;
	const FThingRow& From = SceneData.Things[Row];
	USceneComponent* Under = Parent == INDEX_NONE ? Ground.Get() : Things[Parent].Inside.Get();
	FMeshdThing Thing;
	Thing.Id = Id;
	Thing.Row = Row;
	Thing.Parent = Parent;
	Thing.At = Vector(From.At);
	Thing.Turn = FQuat(From.Turn[0], From.Turn[1], From.Turn[2], From.Turn[3]);
	Thing.Size = Vector(From.Size);
	Thing.bShown = From.bShown;
	if (From.Kind == EBodyKind::None)
	{
		Thing.Place = Part<USceneComponent>(Name, Under);
		Thing.Inside = Thing.Place;
		Thing.Place->SetRelativeTransform(FTransform(Thing.Turn, Thing.At, Thing.Size));
	}
	else
	{
		MakeBody(Thing, Name, Under);
	}
	Thing.Place->ComponentTags.Add(FName(*Id));
	MakeSights(Thing, Name);
	MakeLight(Thing, Name);
	if (Free == INDEX_NONE)
	{
		return Things.Add(Thing);
	}
	Things[Free] = Thing;
	return Free;
}

// UnmakeThing takes away what MakeThing made; its place is free.
void AMeshdScene::UnmakeThing(FMeshdThing& Thing)
{
	const bool bBody = Thing.Inside != Thing.Place;
	for (USceneComponent* Part : std::initializer_list<USceneComponent*>{Thing.Mesh, Thing.Model, Thing.Light, Thing.Text, Thing.Sound, Thing.Sparks, Thing.Touch, Thing.Eye,
			 bBody ? Thing.Inside.Get() : nullptr, Thing.Place})
	{
		if (Part != nullptr)
		{
			Part->DestroyComponent();
		}
	}
	Thing = FMeshdThing();
	Thing.bGone = true;
}

// MakeBody makes what the engine moves, or what bumps. It has no scale of its own.
void AMeshdScene::MakeBody(FMeshdThing& Thing, const FString& Name, USceneComponent* Under)
{
	using namespace meshd;
	const FThingRow& From = SceneData.Things[Thing.Row];
	const FBodyRow& Row = SceneData.Bodies[From.Body];
	UPrimitiveComponent* Body = nullptr;
	switch (Row.Form)
	{
	case EFormKind::Box:
	{
		UBoxComponent* Form = Part<UBoxComponent>(Name, Under);
		Form->SetBoxExtent(Vector(Row.Size));
		Body = Form;
		break;
	}
	case EFormKind::Ball:
	{
		USphereComponent* Form = Part<USphereComponent>(Name, Under);
		Form->SetSphereRadius(Row.Size[0]);
		Body = Form;
		break;
	}
	case EFormKind::Capsule:
	{
		UCapsuleComponent* Form = Part<UCapsuleComponent>(Name, Under);
		Form->SetCapsuleSize(Row.Size[0], Row.Size[1]);
		Body = Form;
		break;
	}
	default:
	{
		UProceduralMeshComponent* Form = Part<UProceduralMeshComponent>(Name, Under);
		Form->bUseComplexAsSimpleCollision = Row.Form == EFormKind::Triangles;
		Form->SetHiddenInGame(true);
		Body = Form;
	}
	}
	Body->SetUsingAbsoluteScale(true);
	Body->SetRelativeTransform(FTransform(Thing.Turn, Thing.At, FVector::OneVector));
	Body->SetCanEverAffectNavigation(false);
	const bool bArea = From.Kind == EBodyKind::Area;
	Body->SetCollisionEnabled(bArea ? ECollisionEnabled::QueryOnly : ECollisionEnabled::QueryAndPhysics);
	Body->SetCollisionObjectType(From.Kind == EBodyKind::Fixed ? ECC_WorldStatic : From.Kind == EBodyKind::Rigid ? ECC_PhysicsBody : ECC_WorldDynamic);
	Body->SetCollisionResponseToAllChannels(bArea || !Row.bCollides ? ECR_Overlap : ECR_Block);
	Body->SetCollisionResponseToChannel(ECC_Visibility, ECR_Block);
	Body->SetCollisionResponseToChannel(ECC_Camera, ECR_Ignore);
	Body->SetGenerateOverlapEvents(true);
	Body->SetNotifyRigidBodyCollision(From.Kind == EBodyKind::Rigid);
	if (From.Kind == EBodyKind::Rigid)
	{
		Body->SetEnableGravity(false); // the scene has its own, see Tick
		Body->SetMassOverrideInKg(NAME_None, Row.Mass, true);
		Body->SetLinearDamping(Row.Damping);
		Body->SetAngularDamping(Row.Damping);
	}
	Thing.Body = Body;
	Thing.Place = Body;
	Thing.Inside = Part<USceneComponent>(Name + TEXT("_Inside"), Body);
	Thing.Inside->SetRelativeScale3D(Vector(From.Inside));
}

// MakeSights makes what is seen, heard and pointed at.
void AMeshdScene::MakeSights(FMeshdThing& Thing, const FString& Name)
{
	using namespace meshd;
	const FThingRow& From = SceneData.Things[Thing.Row];
	if (From.Mesh != INDEX_NONE)
	{
		Thing.Mesh = Part<UProceduralMeshComponent>(Name + TEXT("_Mesh"), Thing.Inside);
		Thing.Mesh->SetCollisionEnabled(ECollisionEnabled::NoCollision);
	}
	if (From.Model != nullptr)
	{
		UStaticMeshComponent* Model = Part<UStaticMeshComponent>(Name + TEXT("_Model"), Thing.Inside);
		Model->SetCollisionEnabled(ECollisionEnabled::NoCollision);
		Thing.Model = Model;
	}
	if (IsTouched(From))
	{
		UBoxComponent* Touch = Part<UBoxComponent>(Name + TEXT("_Touch"), Thing.Inside);
		Touch->SetBoxExtent(Vector(From.Touch));
		Touch->SetCollisionEnabled(ECollisionEnabled::QueryOnly);
		Touch->SetCollisionResponseToAllChannels(ECR_Ignore);
		Touch->SetCollisionResponseToChannel(ECC_Visibility, ECR_Block);
		Thing.Touch = Touch;
	}
	for (const FTextRow& Row : SceneData.Texts)
	{
		if (Row.Thing != Thing.Row)
		{
			continue;
		}
		// Letters are read from where the node's own back is: the engine's from X.
		UTextRenderComponent* Text = Part<UTextRenderComponent>(Name + TEXT("_Text"), Thing.Inside);
		Text->SetRelativeLocation(FVector(-Row.Front, 0.0, 0.0));
		Text->SetRelativeRotation(FQuat(0.0, 0.0, 1.0, 0.0));
		Text->SetText(FText::FromString(Row.Text));
		Text->SetWorldSize(Row.Size / 0.72f); // a capital is about so much of a line
		Text->SetHorizontalAlignment(Row.Align == 0 ? EHTA_Center : Row.Align == 1 ? EHTA_Left : EHTA_Right);
		Text->SetVerticalAlignment(EVRTA_TextCenter);
		Text->SetTextRenderColor(Colour(Row.Color).ToFColor(true));
		Thing.Text = Text;
	}
	for (const FSoundRow& Row : SceneData.Sounds)
	{
		if (Row.Thing != Thing.Row)
		{
			continue;
		}
		UAudioComponent* Sound = Part<UAudioComponent>(Name + TEXT("_Sound"), Thing.Inside);
		Sound->bAutoActivate = false;
		Sound->bOverrideAttenuation = true;
		Sound->AttenuationOverrides.bAttenuate = true;
		Sound->AttenuationOverrides.bSpatialize = true;
		Sound->AttenuationOverrides.AttenuationShapeExtents = FVector(Row.Near, 0.0, 0.0);
		Sound->AttenuationOverrides.FalloffDistance = Row.Far - Row.Near;
		Sound->SetVolumeMultiplier(Row.Volume);
		Thing.Sound = Sound;
	}
	for (const FSparkRow& Row : SceneData.Sparks)
	{
		if (Row.Thing == Thing.Row)
		{
			Thing.Sparks = Part<UProceduralMeshComponent>(Name + TEXT("_Sparks"), Thing.Inside);
			Thing.Sparks->SetCollisionEnabled(ECollisionEnabled::NoCollision);
			Thing.Sparks->SetCastShadow(false);
		}
	}
}

// MakeLight makes the light and the camera of a node.
void AMeshdScene::MakeLight(FMeshdThing& Thing, const FString& Name)
{
	using namespace meshd;
	for (const FShineRow& Row : SceneData.Shines)
	{
		if (Row.Thing != Thing.Row)
		{
			continue;
		}
		const FString Own = Name + TEXT("_Light");
		switch (Row.Kind)
		{
		case EShineKind::Directional:
			Thing.Light = Part<UDirectionalLightComponent>(Own, Thing.Inside);
			break;
		case EShineKind::Spot:
		{
			USpotLightComponent* Light = Part<USpotLightComponent>(Own, Thing.Inside);
			Light->SetIntensityUnits(ELightUnits::Candelas);
			Light->SetAttenuationRadius(Row.Reach);
			Light->SetOuterConeAngle(Row.Outer);
			Light->SetInnerConeAngle(Row.Inner);
			Thing.Light = Light;
			break;
		}
		case EShineKind::Area:
		{
			URectLightComponent* Light = Part<URectLightComponent>(Own, Thing.Inside);
			Light->SetIntensityUnits(ELightUnits::Candelas);
			Light->SetAttenuationRadius(Row.Reach);
			Light->SetSourceWidth(Row.Width);
			Light->SetSourceHeight(Row.Height);
			Thing.Light = Light;
			break;
		}
		default:
		{
			UPointLightComponent* Light = Part<UPointLightComponent>(Own, Thing.Inside);
			Light->SetIntensityUnits(ELightUnits::Candelas);
			Light->SetAttenuationRadius(Row.Reach);
			Thing.Light = Light;
		}
		}
		Thing.Light->SetIntensity(Row.Intensity);
		Thing.Light->SetLightColor(Colour(Row.Color));
		Thing.Light->SetCastShadows(Row.bShadow);
	}
	for (const FCameraRow& Row : SceneData.Cameras)
	{
		if (Row.Thing != Thing.Row)
		{
			continue;
		}
		UCameraComponent* Eye = Part<UCameraComponent>(Name + TEXT("_Camera"), Thing.Inside);
		Eye->SetFieldOfView(Row.FieldOfView);
		Eye->SetAspectRatio(16.0f / 9.0f);
		Eye->bConstrainAspectRatio = false;
		Eye->bOverrideAspectRatioAxisConstraint = true;
		Eye->SetAspectRatioAxisConstraint(AspectRatio_MaintainYFOV);
		if (Row.OrthoWidth > 0.0f)
		{
			Eye->SetProjectionMode(ECameraProjectionMode::Orthographic);
			Eye->SetOrthoWidth(Row.OrthoWidth);
		}
		Eye->bAutoActivate = !Camera;
		Thing.Eye = Eye;
		if (!Camera)
		{
			Camera = Eye; // the first one is looked through
		}
	}
}

// MakeJoints makes what holds bodies to each other; BeginPlay ties them.
void AMeshdScene::MakeJoints()
{
	using namespace meshd;
	Joints.Reset();
	for (int32 Index = 0; Index < SceneData.Joints.Count; ++Index)
	{
		UPhysicsConstraintComponent* Joint = Part<UPhysicsConstraintComponent>(FString::Printf(TEXT("Joint_%d"), Index), Ground);
		Joint->SetDisableCollision(true);
		Joints.Add(Joint);
	}
}
