// Particles: squares that face the eye, moved and drawn by the scene itself.

namespace meshd
{
void FStage::StepSparks(double Seconds)
{
	const APlayerController* PC = Player();
	for (FSparks& Emitter : Sparks)
	{
		const FSparkRow& Row = *Emitter.Row;
		UProceduralMeshComponent* Mesh = At(Emitter.Thing).Sparks;
		Emitter.Owed = FMath::Min(Emitter.Owed + Row.Rate * Seconds, static_cast<double>(Row.Most));
		while (Emitter.Owed >= 1.0)
		{
			Emitter.Owed -= 1.0;
			if (static_cast<int32>(Emitter.Live.size()) >= Row.Most)
			{
				break;
			}
			const FVector Start(Row.Width * (Chance() - 0.5), Row.Width * (Chance() - 0.5), 0.0);
			const FVector Aside(Chance() - 0.5, Chance() - 0.5, Chance() - 0.5);
			Emitter.Live.push_back({Start, Vector(Row.Aim) * Row.Speed + Aside * Row.Spread, 0.0, FMath::Lerp(Row.LifeShort, Row.LifeLong, Chance())});
		}
		const FTransform Frame = Mesh->GetComponentTransform();
		const FVector Eye = PC != nullptr && PC->PlayerCameraManager != nullptr ? Frame.InverseTransformPosition(PC->PlayerCameraManager->GetCameraLocation()) : FVector::ForwardVector;
		TArray<FVector> Places, Normals;
		TArray<FVector2D> Textures;
		TArray<FLinearColor> Colors;
		TArray<int32> Order;
		std::vector<FSpark> Kept;
		for (FSpark& Spark : Emitter.Live)
		{
			Spark.Age += Seconds;
			if (Spark.Age >= Spark.Life)
			{
				continue;
			}
			Spark.Speed.Z -= Row.Gravity * Seconds;
			Spark.At += Spark.Speed * Seconds;
			Kept.push_back(Spark);
			const double Part = Spark.Age / Spark.Life, Half = FMath::Lerp(Row.From, Row.To, Part) / 2.0;
			const FVector Toward = (Eye - Spark.At).GetSafeNormal();
			const FVector Right = FVector::CrossProduct(FVector::UpVector, Toward).GetSafeNormal(), Up = FVector::CrossProduct(Toward, Right);
			const FLinearColor Color = FMath::Lerp(FLinearColor(Row.Start[0], Row.Start[1], Row.Start[2], Row.Start[3]), FLinearColor(Row.End[0], Row.End[1], Row.End[2], Row.End[3]), static_cast<float>(Part));
			const int32 First = Places.Num();
			for (const FVector2D& Corner : {FVector2D(-1.0, -1.0), FVector2D(1.0, -1.0), FVector2D(1.0, 1.0), FVector2D(-1.0, 1.0)})
			{
				Places.Add(Spark.At + Right * (Corner.X * Half) + Up * (Corner.Y * Half));
				Normals.Add(Toward);
				Textures.Add(Corner * 0.5 + FVector2D(0.5, 0.5));
				Colors.Add(Color);
			}
			Order.Append({First, First + 1, First + 2, First, First + 2, First + 3});
		}
		Emitter.Live = std::move(Kept);
		if (Mesh->GetMaterial(0) == nullptr)
		{
			Mesh->SetMaterial(0, Scene.ParentOf(Row.bAdds ? TEXT("Glow_Unlit_TwoSided_Adds") : TEXT("Glow_Unlit_TwoSided_Blended")));
		}
		Mesh->CreateMeshSection_LinearColor(0, Places, Order, Normals, Textures, Colors, TArray<FProcMeshTangent>(), false);
	}
}
} // namespace meshd
