// Meshes and materials.

namespace
{
// A surface that a light of strength 1 shines on is as bright as one that glows at
// 1: eight lux on white are 8/pi candela a square metre.
constexpr float Neutral = 2.546479f;

const TCHAR* const ParentFolder = TEXT("/Game/Meshd/");

FString FileBelowContent(const TCHAR* File) { return FPaths::ProjectContentDir() / TEXT("Scene") / File; }

void FillMesh(UProceduralMeshComponent& To, const meshd::FMeshRow& Row, bool bCollision)
{
	TArray<FVector> Places, Normals;
	TArray<FVector2D> Textures;
	TArray<int32> Order;
	for (int32 Corner = 0; Corner < Row.CornerCount; ++Corner)
	{
		const float* C = Row.Corners + 8 * Corner;
		Places.Add(FVector(C[0], C[1], C[2]));
		Normals.Add(FVector(C[3], C[4], C[5]));
		Textures.Add(FVector2D(C[6], C[7]));
	}
	Order.Append(Row.Order, Row.OrderCount);
	TArray<FProcMeshTangent> Tangents;
	TArray<FVector> Unused;
	UKismetProceduralMeshLibrary::CalculateTangentsForMesh(Places, Order, Textures, Unused, Tangents);
	To.CreateMeshSection_LinearColor(0, Places, Order, Normals, Textures, TArray<FLinearColor>(), Tangents, bCollision);
}

#if WITH_EDITOR
template <class T> T* Expression(UMaterial* In)
{
	return Cast<T>(UMaterialEditingLibrary::CreateMaterialExpression(In, T::StaticClass()));
}

UMaterialExpression* Times(UMaterial* In, UMaterialExpression* A, const TCHAR* FromA, UMaterialExpression* B, const TCHAR* FromB)
{
	UMaterialExpressionMultiply* Out = Expression<UMaterialExpressionMultiply>(In);
	UMaterialEditingLibrary::ConnectMaterialExpressions(A, FromA, Out, TEXT("A"));
	UMaterialEditingLibrary::ConnectMaterialExpressions(B, FromB, Out, TEXT("B"));
	return Out;
}

UMaterialExpressionScalarParameter* Scalar(UMaterial* In, const TCHAR* Name, float Value)
{
	UMaterialExpressionScalarParameter* Out = Expression<UMaterialExpressionScalarParameter>(In);
	Out->ParameterName = FName(Name);
	Out->DefaultValue = Value;
	return Out;
}

UMaterialExpressionVectorParameter* Tint(UMaterial* In, const TCHAR* Name, const FLinearColor& Value)
{
	UMaterialExpressionVectorParameter* Out = Expression<UMaterialExpressionVectorParameter>(In);
	Out->ParameterName = FName(Name);
	Out->DefaultValue = Value;
	return Out;
}

UMaterialExpressionTextureSampleParameter2D* Map(UMaterial* In, const TCHAR* Name, const TCHAR* Otherwise, EMaterialSamplerType Kind)
{
	UMaterialExpressionTextureSampleParameter2D* Out = Expression<UMaterialExpressionTextureSampleParameter2D>(In);
	Out->ParameterName = FName(Name);
	Out->Texture = LoadObject<UTexture2D>(nullptr, Otherwise);
	Out->SamplerType = Kind;
	return Out;
}

// MakeParent makes the material that looks are instances of. Its name says which:
// Opaque, Masked, Blended, Glass, Glow (colours of corners), each with the marks
// _Unlit, _TwoSided, _Adds.
UMaterial* MakeParent(const FString& Name)
{
	UPackage* Package = CreatePackage(*(ParentFolder + Name));
	UMaterial* Out = NewObject<UMaterial>(Package, FName(*Name), RF_Public | RF_Standalone);
	const bool bUnlit = Name.Contains(TEXT("_Unlit")), bCorners = Name.StartsWith(TEXT("Glow"));
	const bool bBlended = Name.StartsWith(TEXT("Blended")) || Name.StartsWith(TEXT("Glass"));
	Out->TwoSided = Name.Contains(TEXT("_TwoSided"));
	Out->BlendMode = Name.Contains(TEXT("_Adds")) ? BLEND_Additive : bBlended ? BLEND_Translucent : Name.StartsWith(TEXT("Masked")) ? BLEND_Masked : BLEND_Opaque;
	Out->SetShadingModel(bUnlit ? MSM_Unlit : MSM_DefaultLit);
	if (bBlended && !bUnlit)
	{
		Out->TranslucencyLightingMode = TLM_SurfacePerPixelLighting;
	}
	const TCHAR* const White = TEXT("/Engine/EngineResources/WhiteSquareTexture.WhiteSquareTexture");
	if (bCorners)
	{
		if (Name.Contains(TEXT("_Blended")))
		{
			Out->BlendMode = BLEND_Translucent;
		}
		UMaterialExpressionVertexColor* Corners = Expression<UMaterialExpressionVertexColor>(Out);
		UMaterialEditingLibrary::ConnectMaterialProperty(Times(Out, Corners, TEXT(""), Scalar(Out, TEXT("Strength"), Neutral), TEXT("")), TEXT(""), MP_EmissiveColor);
		UMaterialEditingLibrary::ConnectMaterialProperty(Corners, TEXT("A"), MP_Opacity);
	}
	else
	{
		UMaterialExpression* Color = Tint(Out, TEXT("Color"), FLinearColor::White);
		UMaterialExpression* ColorMap = Map(Out, TEXT("ColorMap"), White, SAMPLERTYPE_Color);
		UMaterialExpression* Packed = Map(Out, TEXT("PackedMap"), White, SAMPLERTYPE_LinearColor);
		UMaterialExpression* Base = Times(Out, Color, TEXT(""), ColorMap, TEXT("RGB"));
		UMaterialExpression* Glow = Times(Out, Tint(Out, TEXT("Glow"), FLinearColor::Black), TEXT(""), Map(Out, TEXT("GlowMap"), White, SAMPLERTYPE_Color), TEXT("RGB"));
		UMaterialExpression* Opacity = Times(Out, Color, TEXT("A"), ColorMap, TEXT("A"));
		if (bUnlit)
		{
			UMaterialEditingLibrary::ConnectMaterialProperty(Times(Out, Base, TEXT(""), Scalar(Out, TEXT("Strength"), Neutral), TEXT("")), TEXT(""), MP_EmissiveColor);
		}
		else
		{
			UMaterialEditingLibrary::ConnectMaterialProperty(Base, TEXT(""), MP_BaseColor);
			UMaterialEditingLibrary::ConnectMaterialProperty(Times(Out, Glow, TEXT(""), Scalar(Out, TEXT("GlowStrength"), 1.0f), TEXT("")), TEXT(""), MP_EmissiveColor);
			UMaterialEditingLibrary::ConnectMaterialProperty(Times(Out, Scalar(Out, TEXT("Metallic"), 0.0f), TEXT(""), Packed, TEXT("B")), TEXT(""), MP_Metallic);
			UMaterialEditingLibrary::ConnectMaterialProperty(Times(Out, Scalar(Out, TEXT("Roughness"), 0.5f), TEXT(""), Packed, TEXT("G")), TEXT(""), MP_Roughness);
			UMaterialEditingLibrary::ConnectMaterialProperty(Scalar(Out, TEXT("Specular"), 0.5f), TEXT(""), MP_Specular);
			UMaterialEditingLibrary::ConnectMaterialProperty(Packed, TEXT("R"), MP_AmbientOcclusion);
			UMaterialEditingLibrary::ConnectMaterialProperty(Map(Out, TEXT("NormalMap"), TEXT("/Engine/EngineMaterials/DefaultNormal.DefaultNormal"), SAMPLERTYPE_Normal), TEXT("RGB"), MP_Normal);
		}
		UMaterialEditingLibrary::ConnectMaterialProperty(Opacity, TEXT(""), Out->BlendMode == BLEND_Masked ? MP_OpacityMask : MP_Opacity);
		if (Name.StartsWith(TEXT("Glass")))
		{
			UMaterialEditingLibrary::ConnectMaterialProperty(Scalar(Out, TEXT("Refraction"), 1.0f), TEXT(""), MP_Refraction);
		}
	}
	UMaterialEditingLibrary::RecompileMaterial(Out);
	FAssetRegistryModule::AssetCreated(Out);
	Package->MarkPackageDirty();
	return Out;
}
#endif
} // namespace

// ParentOf is a material of the project that looks are instances of. The editor
// makes those that are missing, below Meshd; a game without them is grey, so save
// them with the level.
UMaterialInterface* AMeshdScene::ParentOf(const FString& Name)
{
	if (const TObjectPtr<UMaterialInterface>* Known = Parents.Find(Name))
	{
		return *Known;
	}
	UMaterialInterface* Out = LoadObject<UMaterialInterface>(nullptr, *(ParentFolder + Name + TEXT(".") + Name));
#if WITH_EDITOR
	if (Out == nullptr && !HasAnyFlags(RF_ClassDefaultObject))
	{
		Out = MakeParent(Name);
	}
#endif
	if (Out == nullptr)
	{
		UE_LOG(LogTemp, Warning, TEXT("the material %s is not in the project; open the level in the editor once and save it"), *Name);
		Out = UMaterial::GetDefaultMaterial(MD_Surface);
	}
	Parents.Add(Name, Out);
	return Out;
}

UMaterialInstanceDynamic* AMeshdScene::LookOf(const meshd::FSurfaceRow& Row)
{
	using namespace meshd;
	FString Name = Row.Blend == EBlendKind::Masked ? TEXT("Masked") : Row.Blend == EBlendKind::Blended ? TEXT("Blended") : Row.Blend == EBlendKind::Glass ? TEXT("Glass") : TEXT("Opaque");
	if (Row.bUnlit)
	{
		Name += TEXT("_Unlit");
	}
	if (Row.bTwoSided)
	{
		Name += TEXT("_TwoSided");
	}
	UMaterialInstanceDynamic* Out = UMaterialInstanceDynamic::Create(ParentOf(Name), this);
	Out->SetVectorParameterValue(TEXT("Color"), FLinearColor(Row.Color[0], Row.Color[1], Row.Color[2], Row.Color[3]));
	Out->SetVectorParameterValue(TEXT("Glow"), Colour(Row.Glow));
	Out->SetScalarParameterValue(TEXT("GlowStrength"), Neutral);
	Out->SetScalarParameterValue(TEXT("Metallic"), Row.Metallic);
	Out->SetScalarParameterValue(TEXT("Roughness"), Row.Roughness);
	Out->SetScalarParameterValue(TEXT("Specular"), Row.Specular);
	Out->SetScalarParameterValue(TEXT("Refraction"), Row.Refraction);
	const TPair<const TCHAR*, const TCHAR*> Maps[] = {
		{TEXT("ColorMap"), Row.ColorMap}, {TEXT("NormalMap"), Row.NormalMap}, {TEXT("PackedMap"), Row.PackedMap}, {TEXT("GlowMap"), Row.GlowMap}};
	for (const TPair<const TCHAR*, const TCHAR*>& Entry : Maps)
	{
		if (Entry.Value == nullptr)
		{
			continue;
		}
		UTexture2D* Texture = FImageUtils::ImportFileAsTexture2D(FileBelowContent(Entry.Value));
		if (Texture == nullptr)
		{
			UE_LOG(LogTemp, Warning, TEXT("the picture %s is not below Content/Scene"), Entry.Value);
			continue;
		}
		const FString Key = Entry.Key;
		if (Key == TEXT("NormalMap") || Key == TEXT("PackedMap"))
		{
			Texture->SRGB = false;
			Texture->UpdateResource();
		}
		Out->SetTextureParameterValue(FName(*Key), Texture);
	}
	return Out;
}

// Dress gives a node its mesh and its look; they are made anew whenever the actor
// is, and are not saved.
void AMeshdScene::Dress(FMeshdThing& Thing)
{
	using namespace meshd;
	const FThingRow& From = SceneData.Things[Thing.Row];
	if (Thing.Mesh)
	{
		FillMesh(*Thing.Mesh, SceneData.Meshes[From.Mesh], false);
	}
	if (From.Surface != INDEX_NONE)
	{
		Thing.Look = LookOf(SceneData.Surfaces[From.Surface]);
		if (Thing.Mesh)
		{
			Thing.Mesh->SetMaterial(0, Thing.Look);
		}
	}
	if (UStaticMeshComponent* Model = Cast<UStaticMeshComponent>(Thing.Model))
	{
		UStaticMesh* Asset = LoadObject<UStaticMesh>(nullptr, From.Model);
		if (Asset == nullptr)
		{
			UE_LOG(LogTemp, Warning, TEXT("the model %s is not imported"), From.Model);
		}
		Model->SetStaticMesh(Asset);
	}
	if (Thing.Body)
	{
		const FBodyRow& Row = SceneData.Bodies[From.Body];
		UProceduralMeshComponent* Form = Cast<UProceduralMeshComponent>(Thing.Body);
		if (Form != nullptr && Row.Form == EFormKind::Triangles)
		{
			FillMesh(*Form, SceneData.Meshes[Row.Mesh], true);
		}
		else if (Form != nullptr)
		{
			TArray<FVector> Corners;
			const FMeshRow& Mesh = SceneData.Meshes[Row.Mesh];
			for (int32 Corner = 0; Corner < Mesh.CornerCount; ++Corner)
			{
				const float* C = Mesh.Corners + 8 * Corner;
				Corners.Add(FVector(C[0], C[1], C[2]));
			}
			Form->ClearCollisionConvexMeshes();
			Form->AddCollisionConvexMesh(Corners);
		}
		UPhysicalMaterial* Feel = NewObject<UPhysicalMaterial>(this);
		Feel->Friction = Row.Friction;
		Feel->Restitution = Row.Bounce;
		Thing.Body->SetPhysMaterialOverride(Feel);
	}
}
