using UnrealBuildTool;

public class Scene : ModuleRules
{
	public Scene(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.NoPCHs;
		CppStandard = CppStandardVersion.Cpp20;
		FPSemantics = FPSemanticsMode.Precise; // a program counts the same everywhere
		bUseUnity = false;

		PublicDependencyModuleNames.AddRange(new string[] {
			"Core", "CoreUObject", "Engine", "InputCore", "UMG", "Slate", "SlateCore", "ProceduralMeshComponent", "PhysicsCore", "HeadMountedDisplay", "RHI", "RenderCore"
		});
		if (Target.Version.MajorVersion > 5 || Target.Version.MinorVersion >= 3)
		{
			PublicDependencyModuleNames.Add("XRBase");
		}
		if (Target.bBuildEditor)
		{
			PrivateDependencyModuleNames.AddRange(new string[] { "UnrealEd", "MaterialEditor", "AssetRegistry" });
		}
	}
}
