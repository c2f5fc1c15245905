// A stand-in for the engine, as far as scenes need it that have neither joints nor
// models nor air: it keeps components, where they hang and what is set on them, and
// draws and moves nothing. Nothing is turned in it.
#include <cmath>
#include <cstdio>

struct FPart
{
	std::string Name;
	USceneComponent* Under = nullptr;
	FVector At;
	bool bVisible = true, bTouched = false, bPlays = false, bFalls = false;
};
static std::unordered_map<const UObject*, FPart> Components;
static std::unordered_map<const UMaterialInstanceDynamic*, std::unordered_map<std::string, FLinearColor>> Colours;
static APlayerController Hand;
static UWorld World;
static UPrimitiveComponent* UnderPointer = nullptr;
static bool bPressed = false, bReleased = false;

static std::string Narrow(const std::u16string& Text) { return std::string(Text.begin(), Text.end()); }

FString::FString() {}
FString::FString(const TCHAR* Text) : Held(Text == nullptr ? u"" : Text) {}
const TCHAR* FString::operator*() const { return Held.c_str(); }
bool FString::operator==(const FString& Other) const { return Held == Other.Held; }
bool FString::operator==(const TCHAR* Other) const { return Held == Other; }
FString& FString::operator+=(const FString& Other)
{
	Held += Other.Held;
	return *this;
}
FString operator+(const FString& A, const FString& B)
{
	FString Out = A;
	return Out += B;
}
FString operator/(const FString& A, const TCHAR* B) { return A + TEXT("/") + B; }
bool FString::IsEmpty() const { return Held.empty(); }
bool FString::StartsWith(const TCHAR* Part) const { return Held.rfind(Part, 0) == 0; }
template <class... A> FString FString::Printf(const TCHAR*, A...) { return TEXT("part"); }
FName::FName(const TCHAR* Text) : Held(Text) {}
FName::FName() {}
const FName NAME_None;
FText FText::FromString(const FString& Text)
{
	FText Out;
	Out.Held = Text;
	return Out;
}
FTCHARToUTF8::FTCHARToUTF8(const TCHAR* Text) : Held(Narrow(Text)) {}
const char* FTCHARToUTF8::Get() const { return Held.c_str(); }
int32 FTCHARToUTF8::Length() const { return static_cast<int32>(Held.size()); }
const TCHAR* StubWide(const char* Text)
{
	static std::u16string Last;
	const std::string From = Text;
	Last.assign(From.begin(), From.end());
	return Last.c_str();
}
template <class... A> void StubLog(const TCHAR*, A...) {}

template <class T> TObjectPtr<T>::TObjectPtr(T* In) : Held(In) {}
template <class T> TObjectPtr<T>::TObjectPtr(std::nullptr_t) {}
template <class T> T* TObjectPtr<T>::Get() const { return Held; }
template <class T> T* TObjectPtr<T>::operator->() const { return Held; }
template <class T> T& TObjectPtr<T>::operator*() const { return *Held; }
template <class T> TObjectPtr<T>::operator T*() const { return Held; }
template <class T> TObjectPtr<T>::operator bool() const { return Held != nullptr; }
template <class T> TSharedPtr<T>::TSharedPtr() {}
template <class T> template <class U> TSharedPtr<T>::TSharedPtr(const TSharedRef<U>& In) : Held(In.Held) {}
template <class T> T* TSharedPtr<T>::operator->() const { return Held.get(); }
template <class T> TSharedPtr<T>::operator bool() const { return Held != nullptr; }
template <class T> void TSharedPtr<T>::Reset() { Held.reset(); }
template <class T, class... A> TSharedRef<T> MakeShared(A&&... Arguments) { return {std::make_shared<T>(std::forward<A>(Arguments)...)}; }
template <class T> TArray<T>::TArray() {}
template <class T> TArray<T>::TArray(std::initializer_list<T> Items) : Held(Items) {}
template <class T> int32 TArray<T>::Add(const T& Item)
{
	Held.push_back(Item);
	return Num() - 1;
}
template <class T> void TArray<T>::Append(const T* Items, int32 Count) { Held.insert(Held.end(), Items, Items + Count); }
template <class T> void TArray<T>::Append(std::initializer_list<T> Items) { Held.insert(Held.end(), Items); }
template <class T> void TArray<T>::Reset() { Held.clear(); }
template <class T> int32 TArray<T>::Num() const { return static_cast<int32>(Held.size()); }
template <class T> T& TArray<T>::operator[](int32 Index) { return Held.at(static_cast<std::size_t>(Index)); }
template <class T> const T& TArray<T>::operator[](int32 Index) const { return Held.at(static_cast<std::size_t>(Index)); }
template <class T> T* TArray<T>::begin() { return Held.data(); }
template <class T> T* TArray<T>::end() { return Held.data() + Held.size(); }
template <class T> const T* TArray<T>::begin() const { return Held.data(); }
template <class T> const T* TArray<T>::end() const { return Held.data() + Held.size(); }
template <class K, class V> V& TMap<K, V>::Add(const K& Key, const V& Value)
{
	Held.push_back({Key, Value});
	return Held.back().second;
}
template <class K, class V> V* TMap<K, V>::Find(const K& Key)
{
	for (auto& Entry : Held)
		if (Entry.first == Key)
			return &Entry.second;
	return nullptr;
}
template <class... A> template <class O> void TStubDelegate<A...>::AddDynamic(O* Object, void (O::*Function)(A...))
{
	Held.push_back([Object, Function](A... Arguments) { (Object->*Function)(Arguments...); });
}
template <class... A> void TStubDelegate<A...>::Broadcast(A... Arguments)
{
	for (auto& One : Held)
		One(Arguments...);
}
template <class... A> bool TStubDelegate<A...>::IsBound() const { return !Held.empty(); }

template <class T> T FMath::Max(T A, T B) { return A < B ? B : A; }
template <class T> T FMath::Min(T A, T B) { return B < A ? B : A; }
template <class T> T FMath::Clamp(T X, T Low, T High) { return Max(Low, Min(X, High)); }
template <class T, class U> T FMath::Lerp(const T& A, const T& B, const U& Along)
{
	if constexpr (std::is_arithmetic_v<T>)
		return A + (B - A) * Along;
	else
		return Along < U(0.5) ? A : B;
}
double FMath::DegreesToRadians(double X) { return X * UE_DOUBLE_PI / 180.0; }

FVector::FVector() : FVector(0, 0, 0) {}
FVector::FVector(double InX, double InY, double InZ) : X(InX), Y(InY), Z(InZ) {}
FVector FVector::operator+(const FVector& Other) const { return FVector(X + Other.X, Y + Other.Y, Z + Other.Z); }
FVector FVector::operator-(const FVector& Other) const { return FVector(X - Other.X, Y - Other.Y, Z - Other.Z); }
FVector FVector::operator*(double Scale) const { return FVector(X * Scale, Y * Scale, Z * Scale); }
FVector FVector::operator/(double Scale) const { return *this * (1.0 / Scale); }
FVector& FVector::operator+=(const FVector& Other) { return *this = *this + Other; }
bool FVector::Equals(const FVector& Other, double Tolerance) const { return (*this - Other).Size() <= Tolerance; }
double FVector::Size() const { return std::sqrt(X * X + Y * Y + Z * Z); }
FVector FVector::GetSafeNormal() const { return Size() > 0 ? *this / Size() : *this; }
FVector FVector::GetClampedToMaxSize(double Most) const { return Size() > Most ? GetSafeNormal() * Most : *this; }
FVector FVector::CrossProduct(const FVector& A, const FVector& B) { return FVector(A.Y * B.Z - A.Z * B.Y, A.Z * B.X - A.X * B.Z, A.X * B.Y - A.Y * B.X); }
double FVector::Dist(const FVector& A, const FVector& B) { return (A - B).Size(); }
const FVector FVector::ZeroVector(0, 0, 0), FVector::OneVector(1, 1, 1), FVector::UpVector(0, 0, 1), FVector::ForwardVector(1, 0, 0);
FVector2D::FVector2D(double InX, double InY) : X(InX), Y(InY) {}
FVector2D FVector2D::operator*(double Scale) const { return FVector2D(X * Scale, Y * Scale); }
FVector2D FVector2D::operator+(const FVector2D& Other) const { return FVector2D(X + Other.X, Y + Other.Y); }
FQuat::FQuat() : FQuat(0, 0, 0, 1) {}
FQuat::FQuat(double InX, double InY, double InZ, double InW) : X(InX), Y(InY), Z(InZ), W(InW) {}
FQuat FQuat::GetNormalized() const { return *this; }
const FQuat FQuat::Identity;
FTransform::FTransform() : Scale(FVector::OneVector) {}
FTransform::FTransform(const FQuat& InTurn, const FVector& InAt, const FVector& InScale) : Turn(InTurn), At(InAt), Scale(InScale) {}
FTransform FTransform::operator*(const FTransform& Other) const { return FTransform(Turn, At + Other.At, Scale); }
FTransform FTransform::GetRelativeTransform(const FTransform& Other) const { return FTransform(Turn, At - Other.At, Scale); }
FVector FTransform::GetLocation() const { return At; }
FQuat FTransform::GetRotation() const { return Turn; }
FVector FTransform::GetScale3D() const { return Scale; }
bool FQuat::Equals(const FQuat&, double) const { return true; }
FVector FTransform::InverseTransformPosition(const FVector& V) const { return V - At; }
FColor::FColor(uint8 InR, uint8 InG, uint8 InB, uint8 InA) : B(InB), G(InG), R(InR), A(InA) {}
FLinearColor FLinearColor::operator*(float By) const { return FLinearColor(R * By, G * By, B * By, A); }
FColor FLinearColor::ToFColor(bool) const { return FColor(0, 0, 0); }
FLinearColor FLinearColor::FromSRGBColor(const FColor& C) { return FLinearColor(C.R / 255.0f, C.G / 255.0f, C.B / 255.0f); }
const FLinearColor FLinearColor::White(1, 1, 1), FLinearColor::Black(0, 0, 0);

UObject::~UObject() {}
bool UObject::HasAnyFlags(EObjectFlags) const { return false; }
template <class T> T* NewObject(UObject*, FName Name, EObjectFlags)
{
	T* Out = new T;
	if constexpr (std::is_base_of_v<USceneComponent, T>)
		Components[Out].Name = Narrow(Name.Held.Held);
	return Out;
}
template <class T> T* UObject::CreateDefaultSubobject(FName Name) { return NewObject<T>(this, Name, EObjectFlags(0)); }
template <class T> T* LoadObject(UObject*, const TCHAR*) { return new T; }
template <class T> T* CreateWidget(APlayerController*, UClass*) { return nullptr; }
UClass* UObject::StaticClass() { return nullptr; }
FString FPaths::GetBaseFilename(const FString& Path) { return Path; }
FString FPaths::GetCleanFilename(const FString& Path) { return Path; }
FString FPaths::ProjectContentDir() { return TEXT("."); }
IConsoleManager& IConsoleManager::Get()
{
	static IConsoleManager One;
	return One;
}
IConsoleVariable* IConsoleManager::FindConsoleVariable(const TCHAR*) { return nullptr; }
void IConsoleVariable::Set(float) {}

void UActorComponent::RegisterComponent() {}
void UActorComponent::DestroyComponent(bool)
{
	if (UnderPointer == this)
		UnderPointer = nullptr;
	Components.erase(this);
}
void USceneComponent::SetupAttachment(USceneComponent* Parent) { Components.at(this).Under = Parent; }
void USceneComponent::SetMobility(EComponentMobility::Type) {}
void USceneComponent::SetRelativeTransform(const FTransform& Transform) { Components.at(this).At = Transform.At; }
void USceneComponent::SetRelativeLocation(FVector Location) { Components.at(this).At = Location; }
void USceneComponent::SetRelativeRotation(const FQuat&) {}
void USceneComponent::SetVisibility(bool bVisible, bool) { Components.at(this).bVisible = bVisible; }
const FTransform& USceneComponent::GetComponentTransform() const
{
	static FTransform Last;
	return Last = FTransform(FQuat::Identity, GetComponentLocation(), FVector::OneVector);
}
void USceneComponent::SetRelativeScale3D(FVector) {}
void USceneComponent::SetUsingAbsoluteScale(bool) {}
void USceneComponent::SetHiddenInGame(bool, bool) {}
void USceneComponent::SetWorldLocationAndRotation(FVector Location, const FQuat&, bool, FHitResult*, ETeleportType)
{
	FPart& Part = Components.at(this);
	Part.At = Part.Under == nullptr ? Location : Location - Part.Under->GetComponentLocation();
}
FVector USceneComponent::GetComponentLocation() const
{
	FVector Out;
	for (const USceneComponent* Part = this; Part != nullptr; Part = Components.at(Part).Under)
		Out += Components.at(Part).At;
	return Out;
}
void UPrimitiveComponent::SetCollisionEnabled(ECollisionEnabled::Type Type) { Components.at(this).bTouched = Type != ECollisionEnabled::NoCollision; }
void UPrimitiveComponent::SetCollisionResponseToAllChannels(ECollisionResponse) {}
void UPrimitiveComponent::SetCollisionResponseToChannel(ECollisionChannel, ECollisionResponse) {}
void UPrimitiveComponent::SetCastShadow(bool) {}
void UPrimitiveComponent::SetMaterial(int32, UMaterialInterface*) {}
UMaterialInterface* UPrimitiveComponent::GetMaterial(int32) const { return nullptr; }
void UPrimitiveComponent::SetCollisionObjectType(ECollisionChannel) {}
void UPrimitiveComponent::SetGenerateOverlapEvents(bool) {}
void UPrimitiveComponent::SetNotifyRigidBodyCollision(bool) {}
void UPrimitiveComponent::SetCanEverAffectNavigation(bool) {}
void UPrimitiveComponent::SetEnableGravity(bool) {}
void UPrimitiveComponent::SetMassOverrideInKg(FName, float, bool) {}
void UPrimitiveComponent::SetLinearDamping(float) {}
void UPrimitiveComponent::SetAngularDamping(float) {}
void UPrimitiveComponent::SetPhysMaterialOverride(UPhysicalMaterial*) {}
void UPrimitiveComponent::SetSimulatePhysics(bool bSimulate) { Components.at(this).bFalls = bSimulate; }
bool UPrimitiveComponent::IsSimulatingPhysics() const { return Components.at(this).bFalls; }
bool UPrimitiveComponent::IsAnyRigidBodyAwake() { return Components.at(this).bFalls; }
void UPrimitiveComponent::WakeAllRigidBodies() {}
void UPrimitiveComponent::AddForce(FVector, FName, bool) {}
void UBoxComponent::SetBoxExtent(FVector) {}
void USphereComponent::SetSphereRadius(float) {}
void UAudioComponent::SetVolumeMultiplier(float) {}
void UAudioComponent::SetSound(USoundBase*) {}
void UAudioComponent::Play(float) { Components.at(this).bPlays = true; }
void UAudioComponent::Stop() { Components.at(this).bPlays = false; }
bool UAudioComponent::IsPlaying() const { return Components.at(this).bPlays; }
void ULightComponent::SetIntensity(float) {}
void ULightComponent::SetLightColor(FLinearColor, bool) {}
void ULightComponent::SetCastShadows(bool) {}
void ULocalLightComponent::SetIntensityUnits(ELightUnits) {}
void ULocalLightComponent::SetAttenuationRadius(float) {}
void UCameraComponent::SetFieldOfView(float) {}
void UCameraComponent::SetAspectRatio(float) {}
void UCameraComponent::SetAspectRatioAxisConstraint(EAspectRatioAxisConstraint) {}
bool UHeadMountedDisplayFunctionLibrary::IsHeadMountedDisplayEnabled() { return false; }
void UProceduralMeshComponent::CreateMeshSection_LinearColor(int32, const TArray<FVector>&, const TArray<int32>&, const TArray<FVector>&, const TArray<FVector2D>&, const TArray<FLinearColor>&,
	const TArray<FProcMeshTangent>&, bool)
{
}
void UKismetProceduralMeshLibrary::CalculateTangentsForMesh(const TArray<FVector>&, const TArray<int32>&, const TArray<FVector2D>&, TArray<FVector>&, TArray<FProcMeshTangent>&) {}
UMaterial* UMaterial::GetDefaultMaterial(EMaterialDomain) { return nullptr; }
UMaterialInstanceDynamic* UMaterialInstanceDynamic::Create(UMaterialInterface* Parent, UObject*)
{
	UMaterialInstanceDynamic* Out = new UMaterialInstanceDynamic;
	Out->Parent = Parent;
	return Out;
}
void UMaterialInstanceDynamic::SetVectorParameterValue(FName Name, FLinearColor Value) { Colours[this].insert_or_assign(Narrow(Name.Held.Held), Value); }
void UMaterialInstanceDynamic::SetScalarParameterValue(FName, float) {}
void UMaterialInstanceDynamic::SetTextureParameterValue(FName, UTexture*) {}
FLinearColor UMaterialInstanceDynamic::K2_GetVectorParameterValue(FName Name) { return Colours[this].at(Narrow(Name.Held.Held)); }

void AActor::OnConstruction(const FTransform&) {}
void AActor::BeginPlay() {}
void AActor::Tick(float) {}
void AActor::EndPlay(const EEndPlayReason::Type) {}
bool AActor::SetRootComponent(USceneComponent*) { return true; }
UWorld* AActor::GetWorld() const { return &World; }
bool AActor::HasAuthority() const { return true; }
ENetMode AActor::GetNetMode() const { return NM_Standalone; }
APlayerController* UWorld::GetFirstPlayerController() const { return &Hand; }
FVector APlayerCameraManager::GetCameraLocation() const { return FVector(); }
void APlayerController::SetViewTarget(AActor*) {}
bool APlayerController::GetHitResultUnderCursor(ECollisionChannel, bool, FHitResult& Result) const
{
	Result.Held = UnderPointer;
	return UnderPointer != nullptr && Components.at(UnderPointer).bTouched;
}
bool APlayerController::DeprojectMousePositionToWorld(FVector&, FVector&) const { return false; }
bool APlayerController::WasInputKeyJustPressed(FKey) const { return bPressed; }
bool APlayerController::WasInputKeyJustReleased(FKey) const { return bReleased; }
UPrimitiveComponent* FHitResult::GetComponent() const { return Held; }
FKey::FKey(const TCHAR* Name) : Held(Name) {}
const FKey EKeys::LeftMouseButton(TEXT("LeftMouseButton"));
