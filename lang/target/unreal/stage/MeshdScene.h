// The actor that shows the scene. Put it into a level, or spawn it.
#pragma once

#include "CoreMinimal.h"
#include "Blueprint/UserWidget.h"
#include "GameFramework/Actor.h"
#include "MeshdScene.generated.h"

class UAudioComponent;
class UButton;
class UCameraComponent;
class ULightComponent;
class UMaterialInstanceDynamic;
class UMaterialInterface;
class UMotionControllerComponent;
class UPanelWidget;
class UPhysicsConstraintComponent;
class UPrimitiveComponent;
class UProceduralMeshComponent;
class USceneComponent;
class UTextRenderComponent;
class UWidget;
class AMeshdScene;

namespace meshd
{
class FStage;
class Value;
struct FThingRow;
struct FSurfaceRow;
}

DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(FMeshdSaid, FString, Node, FString, Name, FString, Json);

// FMeshdThing is what stands for a node.
USTRUCT()
struct FMeshdThing
{
	GENERATED_BODY()

	UPROPERTY() FString Id;
	UPROPERTY() int32 Row = INDEX_NONE;
	UPROPERTY() int32 Parent = INDEX_NONE;
	UPROPERTY() TObjectPtr<USceneComponent> Place = nullptr; // where the node is
	UPROPERTY() TObjectPtr<USceneComponent> Inside = nullptr; // what belongs to it hangs here
	UPROPERTY() TObjectPtr<UPrimitiveComponent> Body = nullptr;
	UPROPERTY() TObjectPtr<UPrimitiveComponent> Touch = nullptr;
	UPROPERTY() TObjectPtr<UProceduralMeshComponent> Mesh = nullptr;
	UPROPERTY() TObjectPtr<ULightComponent> Light = nullptr;
	UPROPERTY() TObjectPtr<UTextRenderComponent> Text = nullptr;
	UPROPERTY() TObjectPtr<UAudioComponent> Sound = nullptr;
	UPROPERTY() TObjectPtr<USceneComponent> Model = nullptr;
	UPROPERTY() TObjectPtr<UProceduralMeshComponent> Sparks = nullptr;
	UPROPERTY() TObjectPtr<UCameraComponent> Eye = nullptr;
	UPROPERTY() TObjectPtr<UMaterialInstanceDynamic> Look = nullptr;
	FVector At = FVector::ZeroVector;
	FQuat Turn = FQuat::Identity;
	FVector Size = FVector::OneVector;
	FVector Shift = FVector::ZeroVector; // of a copy: how far from its prototype's place a program put it
	bool bShown = true;
	bool bGone = false;
};

// UMeshdControl hears one control of the flat interface.
UCLASS()
class SCENE_API UMeshdControl : public UObject
{
	GENERATED_BODY()

public:
	UPROPERTY() TObjectPtr<AMeshdScene> Scene = nullptr;
	UPROPERTY() TObjectPtr<UWidget> Widget = nullptr;
	int32 Row = INDEX_NONE;

	UFUNCTION() void Pressed();
	UFUNCTION() void Slid(float Value);
	UFUNCTION() void Ticked(bool bValue);
	UFUNCTION() void Typed(const FText& Text, ETextCommit::Type How);
	UFUNCTION() void Chosen(FString Item, ESelectInfo::Type How);
};

// UMeshdControls is the column of controls.
UCLASS()
class SCENE_API UMeshdControls : public UUserWidget
{
	GENERATED_BODY()

public:
	UPROPERTY() TObjectPtr<AMeshdScene> Scene = nullptr;
	UPROPERTY() TArray<TObjectPtr<UMeshdControl>> Controls;

	virtual TSharedRef<SWidget> RebuildWidget() override;
	// Tell shows a state key of the scene in the controls that are bound to it.
	void Tell(const FString& Key, const meshd::Value& Value);
	bool bTelling = false;

private:
	UWidget* Make(int32 Row);
	void Fill(UMeshdControl* Control);
	TMap<FString, FString> Last;
};

UCLASS()
class SCENE_API AMeshdScene : public AActor
{
	GENERATED_BODY()

public:
	AMeshdScene();

	virtual void OnConstruction(const FTransform& Transform) override;
	virtual void BeginPlay() override;
	virtual void Tick(float DeltaSeconds) override;
	virtual void EndPlay(const EEndPlayReason::Type Reason) override;

	// Every node by its row, and those that a program made behind them. What a program
	// made and took away leaves a place without anything, which the next one takes.
	UPROPERTY(VisibleAnywhere, Category = "Scene") TArray<FMeshdThing> Things;

	// What the program does: node or owner, name, a value as JSON.
	UPROPERTY(BlueprintAssignable, Category = "Scene") FMeshdSaid OnState;
	UPROPERTY(BlueprintAssignable, Category = "Scene") FMeshdSaid OnEvent;
	UPROPERTY(BlueprintAssignable, Category = "Scene") FMeshdSaid OnLog;
	// OnHost asks the game for an operation that the scene does not have.
	UPROPERTY(BlueprintAssignable, Category = "Scene") FMeshdSaid OnHost;

	// RaiseEvent brings an event to a node by its id, "*" is the whole scene; the
	// payload is JSON, empty for none.
	UFUNCTION(BlueprintCallable, Category = "Scene") void RaiseEvent(const FString& Node, const FString& Name, const FString& Json);
	UFUNCTION(BlueprintCallable, Category = "Scene") void SetState(const FString& Key, const FString& Json);
	UFUNCTION(BlueprintCallable, Category = "Scene") FString GetState(const FString& Whose, const FString& Key) const;
	UFUNCTION(BlueprintCallable, Category = "Scene") USceneComponent* FindNode(const FString& Id) const;
	// GetNotes is what only other tools read of a node: source, label, traits.
	UFUNCTION(BlueprintCallable, Category = "Scene") FString GetNotes(const FString& Id) const;

	// The server's state of shared nodes goes to all players.
	UFUNCTION(NetMulticast, Reliable) void TakeState(const FString& Node, const FString& Key, const FString& Json);
	void TakeState_Implementation(const FString& Node, const FString& Key, const FString& Json);

	UMeshdControls* GetControls() const { return Controls; }

	UFUNCTION() void Hit(UPrimitiveComponent* Own, AActor* Actor, UPrimitiveComponent* Other, FVector Impulse, const FHitResult& Result);
	UFUNCTION() void Entered(UPrimitiveComponent* Own, AActor* Actor, UPrimitiveComponent* Other, int32 Index, bool bSweep, const FHitResult& Result);
	UFUNCTION() void Left(UPrimitiveComponent* Own, AActor* Actor, UPrimitiveComponent* Other, int32 Index);

private:
	friend class meshd::FStage;
	friend class UMeshdControl;
	friend class UMeshdControls;

	template <class T> T* Part(const FString& Name, USceneComponent* Under);
	int32 MakeThing(int32 Row, const FString& Id, const FString& Name, int32 Parent, int32 Free = INDEX_NONE);
	void UnmakeThing(FMeshdThing& Thing);
	void MakeBody(FMeshdThing& Thing, const FString& Name, USceneComponent* Under);
	void MakeSights(FMeshdThing& Thing, const FString& Name);
	void MakeLight(FMeshdThing& Thing, const FString& Name);
	void MakeAir();
	void MakeJoints();
	void Dress(FMeshdThing& Thing);
	void DressAir();
	UMaterialInterface* ParentOf(const FString& Name);
	UMaterialInstanceDynamic* LookOf(const meshd::FSurfaceRow& Row);

	UPROPERTY() TObjectPtr<USceneComponent> Ground = nullptr;
	UPROPERTY() TObjectPtr<UCameraComponent> Camera = nullptr;
	UPROPERTY() TObjectPtr<UProceduralMeshComponent> Dome = nullptr;
	UPROPERTY() TObjectPtr<class USkyLightComponent> SkyLight = nullptr;
	UPROPERTY() TObjectPtr<class UPostProcessComponent> Picture = nullptr;
	UPROPERTY() TArray<TObjectPtr<UPhysicsConstraintComponent>> Joints;
	UPROPERTY() TArray<TObjectPtr<UMotionControllerComponent>> Hands;
	UPROPERTY() TMap<FString, TObjectPtr<UMaterialInterface>> Parents;
	UPROPERTY() TObjectPtr<UMeshdControls> Controls = nullptr;
	bool bConstructing = false;
	TSharedPtr<meshd::FStage> Stage;
};
