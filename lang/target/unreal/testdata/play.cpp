// Plays a scene in the stand-in: words on the command line say what happens, and what
// is there is printed. "click X" clicks on the thing of an id, "wait" lets a tenth of
// a second go by, "show" prints the things.
#include <cstdlib>

void AMeshdScene::MakeAir() {}
void AMeshdScene::DressAir() {}
void AMeshdScene::OnConstruction(const FTransform&)
{
	for (FMeshdThing& Thing : Things)
		Dress(Thing);
}
void UMeshdControls::Tell(const FString&, const meshd::Value&) {}

struct FListener
{
	void Logged(FString Node, FString, FString Json) { std::printf("log %s %s\n", Narrow(Node.Held).c_str(), Narrow(Json.Held).c_str()); }
};

static void Show(const AMeshdScene& Scene)
{
	std::printf("components %d\n", static_cast<int>(Components.size()));
	for (const FMeshdThing& Thing : Scene.Things)
	{
		if (Thing.bGone)
		{
			std::printf("free\n");
			continue;
		}
		const FVector At = Thing.Place->GetComponentLocation();
		const FString Above = Thing.Parent == INDEX_NONE ? FString(TEXT("-")) : Scene.Things[Thing.Parent].Id;
		std::printf("thing %s below %s at %g %g %g %s", Narrow(Thing.Id.Held).c_str(), Narrow(Above.Held).c_str(), At.X, At.Y, At.Z, Thing.Mesh && Components.at(Thing.Mesh.Get()).bVisible ? "seen" : "unseen");
		if (Thing.Look)
		{
			const FLinearColor C = Colours[Thing.Look.Get()].at("Color");
			std::printf(" %.0f %.0f %.0f", C.R * 255, C.G * 255, C.B * 255);
		}
		const UObject* Body = Thing.Body.Get();
		const UObject* Sound = Thing.Sound.Get();
		std::printf("%s%s%s\n", Body != nullptr && Components.at(Body).bFalls ? " falls" : "", Sound != nullptr && Components.at(Sound).bPlays ? " plays" : "", Thing.Sparks ? " sparks" : "");
	}
}

int main(int Count, char** Words)
{
	static AMeshdScene Scene;
	FListener Ear;
	Scene.OnLog.AddDynamic(&Ear, &FListener::Logged);
	Scene.OnConstruction(FTransform());
	Scene.BeginPlay();
	for (int K = 1; K < Count; K++)
	{
		const std::string Word = Words[K];
		if (Word == "show")
		{
			Show(Scene);
		}
		else if (Word == "click" && K + 1 < Count)
		{
			const std::string Id = Words[++K];
			UnderPointer = nullptr;
			for (const FMeshdThing& Thing : Scene.Things)
				if (!Thing.bGone && Narrow(Thing.Id.Held) == Id)
					UnderPointer = Thing.Touch.Get();
			std::printf("click %s%s\n", Id.c_str(), UnderPointer == nullptr ? ": nothing there" : "");
			bPressed = true;
			Scene.Tick(0.0f);
			bPressed = false;
			bReleased = true;
			Scene.Tick(0.0f);
			bReleased = false;
		}
		else
		{
			Scene.Tick(0.1f);
		}
	}
	return 0;
}
