// What of the engine's core our artefacts use: signatures from the public
// documentation, without the engine's code. Reflection macros are nothing here, so
// nothing is said about the engine's header tool. What values hold is what the
// stand-in of the engine needs that tests run the stage with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

typedef char16_t TCHAR;
typedef std::int32_t int32;
typedef std::int64_t int64;
typedef std::uint8_t uint8;
typedef std::uint32_t uint32;

#define TEXT(x) u##x
#define INDEX_NONE (-1)
#define UE_DOUBLE_PI (3.141592653589793)

#define UCLASS(...)
#define USTRUCT(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY(...)
#define SCENE_API

template <class... A> void StubLog(const TCHAR* Format, A... Arguments);
#define UE_LOG(Category, Verbosity, Format, ...) StubLog(Format, ##__VA_ARGS__)

class UObject;
class UClass;

class FString
{
public:
	FString();
	FString(const TCHAR* Text);
	const TCHAR* operator*() const;
	bool operator==(const FString& Other) const;
	bool operator==(const TCHAR* Other) const;
	FString& operator+=(const FString& Other);
	friend FString operator+(const FString& A, const FString& B);
	friend FString operator/(const FString& A, const TCHAR* B);
	bool IsEmpty() const;
	int32 Len() const;
	bool Contains(const TCHAR* Part) const;
	bool StartsWith(const TCHAR* Part) const;
	bool Split(const FString& At, FString* Left, FString* Right) const;
	FString Replace(const TCHAR* From, const TCHAR* To) const;
	FString TrimStartAndEnd() const;
	template <class... A> static FString Printf(const TCHAR* Format, A... Arguments);
	std::u16string Held;
};

class FName
{
public:
	FName(const TCHAR* Text);
	FName();
	bool operator==(const FName& Other) const;
	FString Held;
};
extern const FName NAME_None;

class FText
{
public:
	static FText FromString(const FString& Text);
	FString ToString() const;
	FString Held;
};

class FTCHARToUTF8
{
public:
	explicit FTCHARToUTF8(const TCHAR* Text);
	const char* Get() const;
	int32 Length() const;
	std::string Held;
};
const TCHAR* StubWide(const char* Text);
#define UTF8_TO_TCHAR(Text) StubWide(Text)

template <class T> class TObjectPtr
{
public:
	TObjectPtr(T* In = nullptr);
	TObjectPtr(std::nullptr_t);
	template <class U> TObjectPtr(const TObjectPtr<U>& In) requires requires(U* P, T* Q) { Q = P; };
	T* Get() const;
	T* operator->() const;
	T& operator*() const;
	operator T*() const;
	explicit operator bool() const;
	T* Held = nullptr;
};

template <class T> class TSharedRef
{
public:
	T* operator->() const;
	std::shared_ptr<T> Held;
};
template <class T> class TSharedPtr
{
public:
	TSharedPtr();
	template <class U> TSharedPtr(const TSharedRef<U>& In);
	T* operator->() const;
	explicit operator bool() const;
	void Reset();
	std::shared_ptr<T> Held;
};
template <class T, class... A> TSharedRef<T> MakeShared(A&&... Arguments);

template <class T> class TArray
{
public:
	TArray();
	TArray(std::initializer_list<T> Items);
	int32 Add(const T& Item);
	void Append(const T* Items, int32 Count);
	void Append(std::initializer_list<T> Items);
	void Reset();
	int32 Num() const;
	T& operator[](int32 Index);
	const T& operator[](int32 Index) const;
	T* begin();
	T* end();
	const T* begin() const;
	const T* end() const;
	std::vector<T> Held;
};
template <class K, class V> class TMap
{
public:
	V& Add(const K& Key, const V& Value);
	V* Find(const K& Key);
	const V* Find(const K& Key) const;
	std::vector<std::pair<K, V>> Held;
};
template <class K, class V> struct TPair
{
	K Key;
	V Value;
};

struct FMath
{
	template <class T> static T Max(T A, T B);
	template <class T> static T Min(T A, T B);
	template <class T> static T Clamp(T X, T Low, T High);
	template <class T, class U> static T Lerp(const T& A, const T& B, const U& Along);
	static double Sqrt(double X);
	static double Cos(double X);
	static double Sin(double X);
	static float Log2(float X);
	static double DegreesToRadians(double X);
	static int32 FloorToInt32(double X);
};

struct FVector
{
	double X, Y, Z;
	FVector();
	FVector(double InX, double InY, double InZ);
	FVector operator+(const FVector& Other) const;
	FVector operator-(const FVector& Other) const;
	FVector operator*(double Scale) const;
	FVector operator/(double Scale) const;
	FVector& operator+=(const FVector& Other);
	bool Equals(const FVector& Other, double Tolerance) const;
	double Size() const;
	FVector GetSafeNormal() const;
	FVector GetClampedToMaxSize(double Most) const;
	static FVector CrossProduct(const FVector& A, const FVector& B);
	static double Dist(const FVector& A, const FVector& B);
	static const FVector ZeroVector, OneVector, UpVector, ForwardVector;
};
struct FVector2D
{
	double X, Y;
	FVector2D(double InX, double InY);
	FVector2D operator*(double Scale) const;
	FVector2D operator+(const FVector2D& Other) const;
};
struct FVector4
{
	double X, Y, Z, W;
	FVector4(double InX, double InY, double InZ, double InW);
};
struct FQuat
{
	double X, Y, Z, W;
	FQuat();
	FQuat(double InX, double InY, double InZ, double InW);
	FQuat(const FVector& Axis, double Radians);
	FQuat GetNormalized() const;
	FVector RotateVector(const FVector& V) const;
	FVector GetAxisY() const;
	bool Equals(const FQuat& Other, double Tolerance) const;
	static const FQuat Identity;
};
struct FRotator
{
	double Pitch, Yaw, Roll;
};
struct FMatrix
{
	FQuat ToQuat() const;
};
struct FRotationMatrix
{
	static FMatrix MakeFromX(const FVector& X);
};
struct FTransform
{
	FTransform();
	FTransform(const FQuat& Turn, const FVector& At, const FVector& Scale);
	FTransform operator*(const FTransform& Other) const;
	FVector GetLocation() const;
	FQuat GetRotation() const;
	FVector GetScale3D() const;
	FVector InverseTransformPosition(const FVector& V) const;
	FVector InverseTransformPositionNoScale(const FVector& V) const;
	FVector InverseTransformVectorNoScale(const FVector& V) const;
	FVector TransformVectorNoScale(const FVector& V) const;
	FTransform GetRelativeTransform(const FTransform& Other) const;
	FQuat Turn;
	FVector At, Scale;
};
struct FColor
{
	uint8 B, G, R, A;
	FColor(uint8 InR, uint8 InG, uint8 InB, uint8 InA = 255);
};
struct FLinearColor
{
	float R, G, B, A;
	constexpr FLinearColor(float InR, float InG, float InB, float InA = 1.0f) : R(InR), G(InG), B(InB), A(InA) {}
	FLinearColor operator*(float Scale) const;
	FColor ToFColor(bool bSRGB) const;
	static FLinearColor FromSRGBColor(const FColor& Color);
	static const FLinearColor White, Black;
};
struct FFloat16Color
{
	FFloat16Color(const FLinearColor& Color);
};

// A delegate hears of functions of exactly its form.
template <class... A> class TStubDelegate
{
public:
	template <class O> void AddDynamic(O* Object, void (O::*Function)(A...));
	void Broadcast(A... Arguments);
	bool IsBound() const;
	std::vector<std::function<void(A...)>> Held;
};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(Name, A, NameA, B, NameB, C, NameC) typedef TStubDelegate<A, B, C> Name

enum EObjectFlags { RF_Public = 1, RF_Standalone = 2, RF_ClassDefaultObject = 4, RF_Transient = 8 };
constexpr EObjectFlags operator|(EObjectFlags A, EObjectFlags B) { return static_cast<EObjectFlags>(static_cast<int>(A) | static_cast<int>(B)); }

class UObject
{
public:
	virtual ~UObject();
	bool HasAnyFlags(EObjectFlags Flags) const;
	static UClass* StaticClass();
	template <class T> T* CreateDefaultSubobject(FName Name);
};
class UPackage : public UObject
{
public:
	bool MarkPackageDirty() const;
};
UPackage* CreatePackage(const TCHAR* Name);
UPackage* GetTransientPackage();
template <class T> T* NewObject(UObject* Outer, FName Name = NAME_None, EObjectFlags Flags = EObjectFlags(0));
template <class T> T* LoadObject(UObject* Outer, const TCHAR* Name);
#ifdef __GXX_RTTI
template <class T, class U> T* Cast(U* From) { return dynamic_cast<T*>(static_cast<UObject*>(From)); }
#else
template <class T, class U> T* Cast(U* From) { return static_cast<T*>(static_cast<UObject*>(From)); }
#endif
template <class T, class U> T* Cast(const TObjectPtr<U>& From) { return Cast<T>(From.Get()); }

struct FPaths
{
	static FString ProjectContentDir();
	static FString GetBaseFilename(const FString& Path);
	static FString GetCleanFilename(const FString& Path);
};
class IConsoleVariable
{
public:
	void Set(float Value);
};
class IConsoleManager
{
public:
	static IConsoleManager& Get();
	IConsoleVariable* FindConsoleVariable(const TCHAR* Name);
};
class FDefaultModuleImpl
{
};
#define IMPLEMENT_MODULE(Class, Name) static Class Name##Module
