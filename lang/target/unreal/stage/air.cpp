// What surrounds all nodes: sky, light from everywhere, fog, the picture.

void AMeshdScene::OnConstruction(const FTransform& Transform)
{
	Super::OnConstruction(Transform);
	for (FMeshdThing& Thing : Things)
	{
		Dress(Thing);
	}
	DressAir();
}

void AMeshdScene::MakeAir()
{
	using namespace meshd;
	const FAirRow& Air = SceneData.Air;
	Dome = Part<UProceduralMeshComponent>(TEXT("Sky"), Ground);
	Dome->SetCollisionEnabled(ECollisionEnabled::NoCollision);
	Dome->SetCastShadow(false);
	SkyLight = Part<USkyLightComponent>(TEXT("Ambient"), Ground);
	SkyLight->SourceType = SLS_SpecifiedCubemap;
	SkyLight->SetIntensity(1.0f);
	SkyLight->bLowerHemisphereIsBlack = false;
	SkyLight->SetCastShadows(false);
	if (Air.bFog)
	{
		UExponentialHeightFogComponent* Fog = Part<UExponentialHeightFogComponent>(TEXT("Fog"), Ground);
		Fog->SetFogDensity(Air.FogDensity);
		Fog->SetFogHeightFalloff(0.0001f); // the same at every height
		Fog->SetFogInscatteringColor(Colour(Air.FogColor) * Neutral);
	}
	Picture = Part<UPostProcessComponent>(TEXT("Picture"), Ground);
	Picture->bUnbound = true;
	FPostProcessSettings& P = Picture->Settings;
	// A white surface under a light of strength 1 is white.
	P.bOverride_AutoExposureMethod = true;
	P.AutoExposureMethod = AEM_Manual;
	P.bOverride_AutoExposureApplyPhysicalCameraExposure = true;
	P.AutoExposureApplyPhysicalCameraExposure = false;
	P.bOverride_AutoExposureBias = true;
	P.AutoExposureBias = FMath::Log2(FMath::Max(Air.Exposure, 0.0001f) / Neutral * 1.2f);
	if (!Air.bFilmic)
	{
		P.bOverride_ToneCurveAmount = true;
		P.ToneCurveAmount = 0.0f;
	}
	P.bOverride_BloomIntensity = true;
	P.BloomIntensity = Air.Bloom;
	P.bOverride_BloomThreshold = true;
	P.BloomThreshold = Air.BloomThreshold;
	P.bOverride_VignetteIntensity = true;
	P.VignetteIntensity = Air.Vignette;
	P.bOverride_FilmGrainIntensity = true;
	P.FilmGrainIntensity = Air.Grain;
	P.bOverride_SceneFringeIntensity = true;
	P.SceneFringeIntensity = Air.Fringe;
	P.bOverride_AmbientOcclusionIntensity = true;
	P.AmbientOcclusionIntensity = Air.Occlusion;
	P.bOverride_ScreenSpaceReflectionIntensity = true;
	P.ScreenSpaceReflectionIntensity = Air.Reflections;
	P.bOverride_MotionBlurAmount = true;
	P.MotionBlurAmount = Air.Blur;
	P.bOverride_ColorSaturation = true;
	P.ColorSaturation = FVector4(Air.Saturation, Air.Saturation, Air.Saturation, 1.0);
	P.bOverride_ColorContrast = true;
	P.ColorContrast = FVector4(Air.Contrast, Air.Contrast, Air.Contrast, 1.0);
	P.bOverride_ColorGain = true;
	P.ColorGain = FVector4(Air.Gain, Air.Gain, Air.Gain, 1.0);
}

namespace
{
// SkyAt is the colour of the sky by height: 1 is above, -1 below.
FLinearColor SkyAt(double Height)
{
	const meshd::TRows<FLinearColor>& Sky = meshd::SceneData.Air.Sky;
	const double Along = (1.0 - FMath::Clamp(Height, -1.0, 1.0)) / 2.0 * (Sky.Count - 1);
	const int32 First = FMath::Clamp(FMath::FloorToInt32(Along), 0, FMath::Max(0, Sky.Count - 2));
	return Sky.Count == 1 ? Sky[0] : FMath::Lerp(Sky[First], Sky[First + 1], static_cast<float>(Along - First));
}

// AmbientCube is light from everywhere: from above one colour, from below another.
UTextureCube* AmbientCube()
{
	using namespace meshd;
	constexpr int32 Side = 8;
	UTextureCube* Out = NewObject<UTextureCube>(GetTransientPackage(), NAME_None, RF_Transient);
	Out->SRGB = false;
	FTexturePlatformData* Data = new FTexturePlatformData();
	Data->SizeX = Side;
	Data->SizeY = Side;
	Data->PixelFormat = PF_FloatRGBA;
	Data->SetIsCubemap(true);
	Data->SetNumSlices(6);
	FTexture2DMipMap* Mip = new FTexture2DMipMap(Side, Side, 1);
	Data->Mips.Add(Mip);
	Mip->BulkData.Lock(LOCK_READ_WRITE);
	FFloat16Color* Pixel = static_cast<FFloat16Color*>(Mip->BulkData.Realloc(6 * Side * Side * sizeof(FFloat16Color)));
	for (int32 Face = 0; Face < 6; ++Face)
	{
		for (int32 Y = 0; Y < Side; ++Y)
		{
			for (int32 X = 0; X < Side; ++X)
			{
				// The fifth face is above, the sixth below; the others stand, their first
				// line above.
				const double U = (X + 0.5) / Side * 2.0 - 1.0, V = 1.0 - (Y + 0.5) / Side * 2.0;
				const double Up = (Face == 4 ? 1.0 : Face == 5 ? -1.0 : V) / FMath::Sqrt(1.0 + U * U + V * V);
				*Pixel++ = FFloat16Color(FMath::Lerp(Colour(SceneData.Air.Below), Colour(SceneData.Air.Above), static_cast<float>(0.5 + 0.5 * Up)) * Neutral);
			}
		}
	}
	Mip->BulkData.Unlock();
	Out->SetPlatformData(Data);
	Out->UpdateResource();
	return Out;
}
} // namespace

// DressAir gives the sky its colours and the light from everywhere its cube.
void AMeshdScene::DressAir()
{
	using namespace meshd;
	constexpr int32 Around = 24, Rings = 24;
	constexpr double Far = 5.0e6;
	TArray<FVector> Places, Normals;
	TArray<FVector2D> Textures;
	TArray<FLinearColor> Colors;
	TArray<int32> Order;
	for (int32 Ring = 0; Ring <= Rings; ++Ring)
	{
		const double Up = FMath::Cos(UE_DOUBLE_PI * Ring / Rings), Out = FMath::Sin(UE_DOUBLE_PI * Ring / Rings);
		for (int32 Side = 0; Side <= Around; ++Side)
		{
			const double Angle = 2.0 * UE_DOUBLE_PI * Side / Around;
			const FVector Direction(Out * FMath::Cos(Angle), Out * FMath::Sin(Angle), Up);
			Places.Add(Direction * Far);
			Normals.Add(Direction * -1.0);
			Textures.Add(FVector2D(static_cast<double>(Side) / Around, static_cast<double>(Ring) / Rings));
			Colors.Add(SkyAt(Up));
			if (Ring < Rings && Side < Around)
			{
				const int32 First = Ring * (Around + 1) + Side;
				Order.Append({First, First + 1, First + Around + 1, First + 1, First + Around + 2, First + Around + 1});
			}
		}
	}
	Dome->CreateMeshSection_LinearColor(0, Places, Order, Normals, Textures, Colors, TArray<FProcMeshTangent>(), false);
	UMaterialInstanceDynamic* Look = nullptr;
	if (SceneData.Air.SkyPicture != nullptr)
	{
		if (UTexture2D* Texture = FImageUtils::ImportFileAsTexture2D(FileBelowContent(SceneData.Air.SkyPicture)))
		{
			Look = UMaterialInstanceDynamic::Create(ParentOf(TEXT("Opaque_Unlit_TwoSided")), this);
			Look->SetTextureParameterValue(TEXT("ColorMap"), Texture);
		}
		else
		{
			UE_LOG(LogTemp, Warning, TEXT("the picture %s is not below Content/Scene"), SceneData.Air.SkyPicture);
		}
	}
	if (Look == nullptr)
	{
		Look = UMaterialInstanceDynamic::Create(ParentOf(TEXT("Glow_Unlit_TwoSided")), this);
	}
	Dome->SetMaterial(0, Look);
	SkyLight->SetCubemap(AmbientCube());
}
