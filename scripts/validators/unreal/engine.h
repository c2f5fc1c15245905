// What of the engine's classes our artefacts use.
#pragma once

#include "core.h"

enum ECollisionChannel { ECC_WorldStatic, ECC_WorldDynamic, ECC_PhysicsBody, ECC_Visibility, ECC_Camera };
enum ECollisionResponse { ECR_Ignore, ECR_Overlap, ECR_Block };
namespace ECollisionEnabled { enum Type { NoCollision, QueryOnly, PhysicsOnly, QueryAndPhysics }; }
namespace EComponentMobility { enum Type { Static, Stationary, Movable }; }
namespace EEndPlayReason { enum Type { Destroyed, LevelTransition, Quit }; }
enum class ETeleportType : uint8 { None, TeleportPhysics, ResetPhysics };
enum ENetMode { NM_Standalone, NM_DedicatedServer, NM_ListenServer, NM_Client };
enum EAspectRatioAxisConstraint { AspectRatio_MaintainYFOV, AspectRatio_MaintainXFOV };
namespace ECameraProjectionMode { enum Type { Perspective, Orthographic }; }
enum class ELightUnits : uint8 { Unitless, Candelas, Lumens };
enum ESkyLightSourceType { SLS_CapturedScene, SLS_SpecifiedCubemap };
enum EHorizTextAligment { EHTA_Left, EHTA_Center, EHTA_Right };
enum EVerticalTextAligment { EVRTA_TextTop, EVRTA_TextCenter, EVRTA_TextBottom };
enum EAutoExposureMethod { AEM_Histogram, AEM_Basic, AEM_Manual };
enum ELinearConstraintMotion { LCM_Free, LCM_Limited, LCM_Locked };
enum EAngularConstraintMotion { ACM_Free, ACM_Limited, ACM_Locked };
namespace EAngularDriveMode { enum Type { SLERP, TwistAndSwing }; }
namespace EConstraintFrame { enum Type { Frame1, Frame2 }; }
enum EMaterialDomain { MD_Surface };
enum EBlendMode { BLEND_Opaque, BLEND_Masked, BLEND_Translucent, BLEND_Additive };
enum EMaterialShadingModel { MSM_Unlit, MSM_DefaultLit };
enum ETranslucencyLightingMode { TLM_VolumetricNonDirectional, TLM_SurfacePerPixelLighting };
enum EMaterialSamplerType { SAMPLERTYPE_Color, SAMPLERTYPE_Normal, SAMPLERTYPE_LinearColor };
enum EMaterialProperty { MP_BaseColor, MP_Metallic, MP_Specular, MP_Roughness, MP_EmissiveColor, MP_Opacity, MP_OpacityMask, MP_Normal, MP_AmbientOcclusion, MP_Refraction };
enum EPixelFormat { PF_FloatRGBA };
enum { LOCK_READ_ONLY, LOCK_READ_WRITE };
namespace ETextCommit { enum Type { Default, OnEnter }; }
namespace ESelectInfo { enum Type { OnKeyPress, Direct }; }

class AActor;
class APlayerController;
class UWorld;
class UPrimitiveComponent;

struct FHitResult
{
	FVector ImpactPoint;
	UPrimitiveComponent* GetComponent() const;
	UPrimitiveComponent* Held = nullptr;
};
struct FKey
{
	explicit FKey(const TCHAR* Name);
	bool IsDigital() const;
	bool IsMouseButton() const;
	bool IsGamepadKey() const;
	FString ToString() const;
	FString Held;
};
struct EKeys
{
	static const FKey LeftMouseButton;
	static void GetAllKeys(TArray<FKey>& Out);
};

class UActorComponent : public UObject
{
public:
	bool bAutoActivate;
	TArray<FName> ComponentTags;
	void RegisterComponent();
	virtual void DestroyComponent(bool bPromoteChildren = false);
};
class USceneComponent : public UActorComponent
{
public:
	void SetupAttachment(USceneComponent* Parent);
	void SetMobility(EComponentMobility::Type Mobility);
	void SetRelativeTransform(const FTransform& Transform);
	void SetRelativeLocation(FVector Location);
	void SetRelativeRotation(const FQuat& Turn);
	void SetRelativeScale3D(FVector Scale);
	void SetUsingAbsoluteScale(bool bAbsolute);
	void SetWorldLocationAndRotation(FVector Location, const FQuat& Turn, bool bSweep = false, FHitResult* Result = nullptr, ETeleportType Teleport = ETeleportType::None);
	const FTransform& GetComponentTransform() const;
	FVector GetComponentLocation() const;
	FVector GetForwardVector() const;
	void SetVisibility(bool bVisible, bool bChildren = false);
	void SetHiddenInGame(bool bHidden, bool bChildren = false);
};
class UPhysicalMaterial : public UObject
{
public:
	float Friction, Restitution;
};
class UMaterialInterface;
class UPrimitiveComponent : public USceneComponent
{
public:
	TStubDelegate<UPrimitiveComponent*, AActor*, UPrimitiveComponent*, FVector, const FHitResult&> OnComponentHit;
	TStubDelegate<UPrimitiveComponent*, AActor*, UPrimitiveComponent*, int32, bool, const FHitResult&> OnComponentBeginOverlap;
	TStubDelegate<UPrimitiveComponent*, AActor*, UPrimitiveComponent*, int32> OnComponentEndOverlap;
	void SetCollisionEnabled(ECollisionEnabled::Type Type);
	void SetCollisionObjectType(ECollisionChannel Channel);
	void SetCollisionResponseToAllChannels(ECollisionResponse Response);
	void SetCollisionResponseToChannel(ECollisionChannel Channel, ECollisionResponse Response);
	void SetGenerateOverlapEvents(bool bGenerate);
	void SetNotifyRigidBodyCollision(bool bNotify);
	void SetCanEverAffectNavigation(bool bAffects);
	void SetEnableGravity(bool bGravity);
	void SetMassOverrideInKg(FName Bone, float Mass, bool bOverride);
	void SetLinearDamping(float Damping);
	void SetAngularDamping(float Damping);
	void SetSimulatePhysics(bool bSimulate);
	bool IsSimulatingPhysics() const;
	bool IsAnyRigidBodyAwake();
	void WakeAllRigidBodies();
	void SetPhysMaterialOverride(UPhysicalMaterial* Material);
	void AddForce(FVector Force, FName Bone = NAME_None, bool bAcceleration = false);
	void AddImpulse(FVector Impulse, FName Bone = NAME_None, bool bVelocity = false);
	void SetPhysicsLinearVelocity(FVector Speed);
	void SetPhysicsAngularVelocityInRadians(FVector Speed);
	FVector GetPhysicsLinearVelocity() const;
	void SetCastShadow(bool bCast);
	void SetMaterial(int32 Index, UMaterialInterface* Material);
	UMaterialInterface* GetMaterial(int32 Index) const;
};
class UBoxComponent : public UPrimitiveComponent
{
public:
	void SetBoxExtent(FVector Extent);
};
class USphereComponent : public UPrimitiveComponent
{
public:
	void SetSphereRadius(float Radius);
};
class UCapsuleComponent : public UPrimitiveComponent
{
public:
	void SetCapsuleSize(float Radius, float HalfHeight);
};
class UStaticMesh : public UObject
{
};
class UStaticMeshComponent : public UPrimitiveComponent
{
public:
	bool SetStaticMesh(UStaticMesh* Mesh);
};
struct FProcMeshTangent
{
};
class UProceduralMeshComponent : public UPrimitiveComponent
{
public:
	bool bUseComplexAsSimpleCollision;
	void CreateMeshSection_LinearColor(int32 Index, const TArray<FVector>& Places, const TArray<int32>& Order, const TArray<FVector>& Normals, const TArray<FVector2D>& Textures,
		const TArray<FLinearColor>& Colors, const TArray<FProcMeshTangent>& Tangents, bool bCollision);
	void AddCollisionConvexMesh(TArray<FVector> Corners);
	void ClearCollisionConvexMeshes();
};
class UKismetProceduralMeshLibrary
{
public:
	static void CalculateTangentsForMesh(const TArray<FVector>& Places, const TArray<int32>& Order, const TArray<FVector2D>& Textures, TArray<FVector>& Normals, TArray<FProcMeshTangent>& Tangents);
};
class UTextRenderComponent : public UPrimitiveComponent
{
public:
	void SetText(const FText& Text);
	void SetWorldSize(float Size);
	void SetHorizontalAlignment(EHorizTextAligment Value);
	void SetVerticalAlignment(EVerticalTextAligment Value);
	void SetTextRenderColor(FColor Color);
};
class USoundBase : public UObject
{
};
struct FSoundAttenuationSettings
{
	bool bAttenuate, bSpatialize;
	FVector AttenuationShapeExtents;
	float FalloffDistance;
};
class UAudioComponent : public USceneComponent
{
public:
	bool bOverrideAttenuation;
	FSoundAttenuationSettings AttenuationOverrides;
	void SetVolumeMultiplier(float Volume);
	void SetSound(USoundBase* Sound);
	void Play(float From = 0.0f);
	void Stop();
	bool IsPlaying() const;
};
class ULightComponent : public USceneComponent
{
public:
	void SetIntensity(float Intensity);
	void SetLightColor(FLinearColor Color, bool bSRGB = true);
	void SetCastShadows(bool bCast);
};
class UDirectionalLightComponent : public ULightComponent
{
};
class ULocalLightComponent : public ULightComponent
{
public:
	void SetIntensityUnits(ELightUnits Units);
	void SetAttenuationRadius(float Radius);
};
class UPointLightComponent : public ULocalLightComponent
{
};
class USpotLightComponent : public UPointLightComponent
{
public:
	void SetOuterConeAngle(float Degrees);
	void SetInnerConeAngle(float Degrees);
};
class URectLightComponent : public ULocalLightComponent
{
public:
	void SetSourceWidth(float Width);
	void SetSourceHeight(float Height);
};
struct FByteBulkData
{
	void* Lock(uint32 Flags);
	void* Realloc(int64 Size);
	void Unlock() const;
};
struct FTexture2DMipMap
{
	FByteBulkData BulkData;
	FTexture2DMipMap(int32 Width, int32 Height, int32 Depth);
};
struct FTexturePlatformData
{
	int32 SizeX, SizeY;
	EPixelFormat PixelFormat;
	TArray<FTexture2DMipMap*> Mips;
	void SetIsCubemap(bool bCube);
	void SetNumSlices(int32 Slices);
};
class UTexture : public UObject
{
public:
	bool SRGB;
	void UpdateResource();
	void SetPlatformData(FTexturePlatformData* Data);
};
class UTexture2D : public UTexture
{
};
class UTextureCube : public UTexture
{
};
struct FImageUtils
{
	static UTexture2D* ImportFileAsTexture2D(const FString& File);
};
class USkyLightComponent : public USceneComponent
{
public:
	ESkyLightSourceType SourceType;
	bool bLowerHemisphereIsBlack;
	void SetIntensity(float Intensity);
	void SetCubemap(UTextureCube* Cubemap);
	void SetCastShadows(bool bCast);
};
class UExponentialHeightFogComponent : public USceneComponent
{
public:
	void SetFogDensity(float Density);
	void SetFogHeightFalloff(float Falloff);
	void SetFogInscatteringColor(FLinearColor Color);
};
struct FPostProcessSettings
{
	bool bOverride_AutoExposureMethod, bOverride_AutoExposureApplyPhysicalCameraExposure, bOverride_AutoExposureBias, bOverride_ToneCurveAmount, bOverride_BloomIntensity,
		bOverride_BloomThreshold, bOverride_VignetteIntensity, bOverride_FilmGrainIntensity, bOverride_SceneFringeIntensity, bOverride_AmbientOcclusionIntensity,
		bOverride_ScreenSpaceReflectionIntensity, bOverride_MotionBlurAmount, bOverride_ColorSaturation, bOverride_ColorContrast, bOverride_ColorGain;
	EAutoExposureMethod AutoExposureMethod;
	bool AutoExposureApplyPhysicalCameraExposure;
	float AutoExposureBias, ToneCurveAmount, BloomIntensity, BloomThreshold, VignetteIntensity, FilmGrainIntensity, SceneFringeIntensity, AmbientOcclusionIntensity, ScreenSpaceReflectionIntensity, MotionBlurAmount;
	FVector4 ColorSaturation, ColorContrast, ColorGain;
};
class UPostProcessComponent : public USceneComponent
{
public:
	bool bUnbound;
	FPostProcessSettings Settings;
};
class UCameraComponent : public USceneComponent
{
public:
	bool bConstrainAspectRatio, bOverrideAspectRatioAxisConstraint;
	void SetFieldOfView(float Degrees);
	void SetAspectRatio(float Ratio);
	void SetAspectRatioAxisConstraint(EAspectRatioAxisConstraint Axis);
	void SetProjectionMode(ECameraProjectionMode::Type Mode);
	void SetOrthoWidth(float Width);
};
class UPhysicsConstraintComponent : public USceneComponent
{
public:
	void SetDisableCollision(bool bDisable);
	void SetConstrainedComponents(UPrimitiveComponent* A, FName BoneA, UPrimitiveComponent* B, FName BoneB);
	void SetConstraintReferencePosition(EConstraintFrame::Type Frame, const FVector& Position);
	void SetConstraintReferenceOrientation(EConstraintFrame::Type Frame, const FVector& First, const FVector& Second);
	void SetLinearXLimit(ELinearConstraintMotion Motion, float Limit);
	void SetLinearYLimit(ELinearConstraintMotion Motion, float Limit);
	void SetLinearZLimit(ELinearConstraintMotion Motion, float Limit);
	void SetAngularSwing1Limit(EAngularConstraintMotion Motion, float Limit);
	void SetAngularSwing2Limit(EAngularConstraintMotion Motion, float Limit);
	void SetAngularTwistLimit(EAngularConstraintMotion Motion, float Limit);
	void SetAngularDriveMode(EAngularDriveMode::Type Mode);
	void SetAngularVelocityDriveTwistAndSwing(bool bTwist, bool bSwing);
	void SetAngularDriveParams(float Position, float Velocity, float Limit);
	void SetLinearVelocityDrive(bool bX, bool bY, bool bZ);
	void SetLinearDriveParams(float Position, float Velocity, float Limit);
};
class UMotionControllerComponent : public UPrimitiveComponent
{
public:
	void SetTrackingMotionSource(const FName Source);
};
class UHeadMountedDisplayFunctionLibrary
{
public:
	static bool IsHeadMountedDisplayEnabled();
};

class UMaterialInterface : public UObject
{
};
class UMaterial : public UMaterialInterface
{
public:
	bool TwoSided;
	EBlendMode BlendMode;
	ETranslucencyLightingMode TranslucencyLightingMode;
	void SetShadingModel(EMaterialShadingModel Model);
	static UMaterial* GetDefaultMaterial(EMaterialDomain Domain);
};
class UMaterialInstanceDynamic : public UMaterialInterface
{
public:
	TObjectPtr<UMaterialInterface> Parent;
	static UMaterialInstanceDynamic* Create(UMaterialInterface* Parent, UObject* Outer);
	void SetVectorParameterValue(FName Name, FLinearColor Value);
	void SetScalarParameterValue(FName Name, float Value);
	void SetTextureParameterValue(FName Name, UTexture* Value);
	FLinearColor K2_GetVectorParameterValue(FName Name);
	void CopyParameterOverrides(UMaterialInstanceDynamic* From);
};
#if WITH_EDITOR
class UMaterialExpression : public UObject
{
};
class UMaterialExpressionParameter : public UMaterialExpression
{
public:
	FName ParameterName;
};
class UMaterialExpressionScalarParameter : public UMaterialExpressionParameter
{
public:
	float DefaultValue;
};
class UMaterialExpressionVectorParameter : public UMaterialExpressionParameter
{
public:
	FLinearColor DefaultValue;
};
class UMaterialExpressionTextureSampleParameter2D : public UMaterialExpression
{
public:
	FName ParameterName;
	TObjectPtr<UTexture> Texture;
	EMaterialSamplerType SamplerType;
};
class UMaterialExpressionMultiply : public UMaterialExpression
{
};
class UMaterialExpressionVertexColor : public UMaterialExpression
{
};
class UMaterialEditingLibrary
{
public:
	static UMaterialExpression* CreateMaterialExpression(UMaterial* Material, UClass* Class, int32 X = 0, int32 Y = 0);
	static bool ConnectMaterialExpressions(UMaterialExpression* From, FString Output, UMaterialExpression* To, FString Input);
	static bool ConnectMaterialProperty(UMaterialExpression* From, FString Output, EMaterialProperty Property);
	static void RecompileMaterial(UMaterial* Material);
};
class FAssetRegistryModule
{
public:
	static void AssetCreated(UObject* Asset);
};
#endif

struct FActorTickFunction
{
	bool bCanEverTick;
};
class AActor : public UObject
{
public:
	typedef AActor Super;
	FActorTickFunction PrimaryActorTick;
	bool bReplicates;
	virtual void OnConstruction(const FTransform& Transform);
	virtual void BeginPlay();
	virtual void Tick(float Seconds);
	virtual void EndPlay(const EEndPlayReason::Type Reason);
	bool SetRootComponent(USceneComponent* Root);
	UWorld* GetWorld() const;
	bool HasAuthority() const;
	ENetMode GetNetMode() const;
	const FTransform& GetActorTransform() const;
};
class APlayerCameraManager : public AActor
{
public:
	FVector GetCameraLocation() const;
};
class APlayerController : public AActor
{
public:
	bool bShowMouseCursor;
	TObjectPtr<APlayerCameraManager> PlayerCameraManager;
	void SetViewTarget(AActor* Target);
	bool GetHitResultUnderCursor(ECollisionChannel Channel, bool bComplex, FHitResult& Result) const;
	bool DeprojectMousePositionToWorld(FVector& Location, FVector& Direction) const;
	bool WasInputKeyJustPressed(FKey Key) const;
	bool WasInputKeyJustReleased(FKey Key) const;
};
class UWorld : public UObject
{
public:
	APlayerController* GetFirstPlayerController() const;
	bool LineTraceSingleByChannel(FHitResult& Result, const FVector& From, const FVector& To, ECollisionChannel Channel) const;
};

class SWidget
{
};
class UWidget : public UObject
{
public:
	void SetIsEnabled(bool bEnabled);
	void RemoveFromParent();
};
class UPanelSlot : public UObject
{
};
class UPanelWidget : public UWidget
{
public:
	UPanelSlot* AddChild(UWidget* Content);
};
class UVerticalBox : public UPanelWidget
{
};
class UHorizontalBox : public UPanelWidget
{
};
class UTextBlock : public UWidget
{
public:
	void SetText(FText Text);
};
class UButton : public UPanelWidget
{
public:
	TStubDelegate<> OnClicked;
};
class USlider : public UWidget
{
public:
	TStubDelegate<float> OnValueChanged;
	void SetMinValue(float Value);
	void SetMaxValue(float Value);
	void SetStepSize(float Value);
	void SetValue(float Value);
	void SetLocked(bool bLocked);
};
class UCheckBox : public UPanelWidget
{
public:
	TStubDelegate<bool> OnCheckStateChanged;
	void SetIsChecked(bool bChecked);
};
class UEditableTextBox : public UWidget
{
public:
	TStubDelegate<const FText&, ETextCommit::Type> OnTextCommitted;
	void SetText(FText Text);
};
class UComboBoxString : public UWidget
{
public:
	TStubDelegate<FString, ESelectInfo::Type> OnSelectionChanged;
	void AddOption(const FString& Option);
	void SetSelectedOption(FString Option);
};
class UWidgetTree : public UObject
{
public:
	TObjectPtr<UWidget> RootWidget;
	template <class T> T* ConstructWidget();
};
class UUserWidget : public UWidget
{
public:
	typedef UUserWidget Super;
	TObjectPtr<UWidgetTree> WidgetTree;
	virtual TSharedRef<SWidget> RebuildWidget();
	void AddToViewport(int32 Order = 0);
};
template <class T> T* CreateWidget(APlayerController* Owner, UClass* Class);
