// What a program spawns: copies of prototypes, and of things that have a name.

namespace meshd
{
// spawned makes a copy of a node of a prototype, alone; or, where nothing has the name
// of a template, of the thing that is called so, with what is below it.
void FStage::spawned(const std::string& Id, const std::string& Name, const std::string& Like, const std::string& Parent)
{
	if (!Like.empty())
	{
		const auto It = Prototypes.find(Like);
		if (It != Prototypes.end())
		{
			Ids[Id] = Copy(It->second, Shown(Id), Shown(Id), Find(Parent));
		}
		return;
	}
	int32 First = INDEX_NONE;
	for (const Node& Other : Known)
	{
		if (Name == Other.name && Find(Other.id) != INDEX_NONE)
		{
			First = Find(Other.id);
			break;
		}
	}
	if (First == INDEX_NONE)
	{
		return;
	}
	std::map<int32, int32> Copies;
	const int32 Last = Scene.Things.Num();
	for (int32 Index = First; Index < Last; ++Index)
	{
		const bool bFirst = Index == First;
		const auto Under = Copies.find(At(Index).Parent);
		if (At(Index).bGone || At(Index).Row == INDEX_NONE || (!bFirst && (Under == Copies.end() || At(Index).Id.IsEmpty())))
		{
			continue;
		}
		const FString Own = FString::Printf(TEXT("%s_%d"), *Shown(Id), Index);
		Copies[Index] = Copy(At(Index).Row, bFirst ? Shown(Id) : FString(), Own, bFirst ? Find(Parent) : Under->second);
	}
	Ids[Id] = Copies[First];
}

// Copy makes a thing of a row in a game that runs.
int32 FStage::Copy(int32 Row, const FString& Id, const FString& Name, int32 Parent)
{
	int32 Place = INDEX_NONE;
	if (!Free.empty())
	{
		Place = Free.back();
		Free.pop_back();
	}
	const int32 Index = Scene.MakeThing(Row, Id, Name, Parent, Place);
	Scene.Dress(At(Index));
	UPrimitiveComponent* Body = At(Index).Body;
	if (Body != nullptr && SceneData.Things[Row].Kind == EBodyKind::Rigid)
	{
		Body->OnComponentHit.AddDynamic(&Scene, &AMeshdScene::Hit);
		Body->SetSimulatePhysics(true);
	}
	if (Body != nullptr && SceneData.Things[Row].Kind == EBodyKind::Area)
	{
		Body->OnComponentBeginOverlap.AddDynamic(&Scene, &AMeshdScene::Entered);
		Body->OnComponentEndOverlap.AddDynamic(&Scene, &AMeshdScene::Left);
	}
	const std::size_t Before = Tracks.size();
	Animate(Row, Index);
	for (std::size_t K = Before; K < Tracks.size(); ++K)
	{
		if (Tracks[K].bOn)
		{
			Apply(Tracks[K].Row, Index, 0);
		}
	}
	bUnshown = true;
	return Index;
}

// Animate begins what moves and sounds by itself at a thing.
void FStage::Animate(int32 Row, int32 Index)
{
	for (const FTrackRow& T : SceneData.Tracks)
	{
		if (FString(SceneData.Things[Row].Id) == Shown(T.Node))
		{
			Tracks.push_back({{T.Node, T.Property, T.Keys, T.Width, T.Count, T.Easing, T.Loop, T.bPlays, T.bBack}, Index, 0, T.bPlays});
		}
	}
	for (const FSparkRow& Spark : SceneData.Sparks)
	{
		if (Spark.Thing == Row)
		{
			Sparks.push_back({Index, &Spark, 0, {}});
		}
	}
	for (const FSoundRow& Sound : SceneData.Sounds)
	{
		if (Sound.Thing == Row && Sound.bPlays)
		{
			Start(Sound, Index);
		}
	}
}

void FStage::destroyed(const std::string& Id)
{
	const int32 Index = Find(Id);
	if (Index != INDEX_NONE)
	{
		Remove(Index);
	}
	Ids.erase(Id);
	Dirty.erase(std::remove_if(Dirty.begin(), Dirty.end(), [&](const std::pair<std::string, std::string>& Entry) { return Entry.first == Id; }), Dirty.end());
}

// Remove takes a thing away with what is below it, and with all that is about it.
void FStage::Remove(int32 Index)
{
	for (int32 Other = 0; Other < Scene.Things.Num(); ++Other)
	{
		if (!At(Other).bGone && At(Other).Parent == Index)
		{
			Remove(Other);
		}
	}
	for (auto It = Contacts.begin(); It != Contacts.end();)
	{
		const std::pair<int32, int32> Pair = It->first;
		if (Pair.second == Index)
		{
			Parted.emplace_back(Plain(At(Pair.first).Id), Plain(At(Index).Id));
		}
		It = Pair.first == Index || Pair.second == Index ? Contacts.erase(It) : std::next(It);
	}
	Tracks.erase(std::remove_if(Tracks.begin(), Tracks.end(), [Index](const FPlaying& T) { return T.Thing == Index; }), Tracks.end());
	Sparks.erase(std::remove_if(Sparks.begin(), Sparks.end(), [Index](const FSparks& S) { return S.Thing == Index; }), Sparks.end());
	Held.erase(std::remove_if(Held.begin(), Held.end(), [Index](const FHold& H) { return H.Thing == Index; }), Held.end());
	Playing.erase(Index);
	for (int32* Last : {&Over, &Down, &LastClicked})
	{
		*Last = *Last == Index ? INDEX_NONE : *Last;
	}
	Ids.erase(Plain(At(Index).Id));
	Scene.UnmakeThing(At(Index));
	Free.push_back(Index);
}

// SoundOf is the row of a thing's sound.
const FSoundRow* FStage::SoundOf(int32 Index) const
{
	for (const FSoundRow& Row : SceneData.Sounds)
	{
		if (!At(Index).bGone && Row.Thing == At(Index).Row)
		{
			return &Row;
		}
	}
	return nullptr;
}

// PlaySound starts or stops the sound of a node. A name chooses a sound by that of its
// file: the node's own, or the first one.
bool FStage::PlaySound(const std::string& Node, const std::string& Name, bool bOn)
{
	const auto IsNamed = [&Name](const FSoundRow& Row) {
		return FPaths::GetBaseFilename(FString(Row.Asset)) == Shown(Name) || FPaths::GetCleanFilename(FString(Row.Asset)) == Shown(Name);
	};
	const int32 Own = Find(Node);
	const FSoundRow* Row = Own == INDEX_NONE ? nullptr : SoundOf(Own);
	if (Row != nullptr && (Name.empty() || IsNamed(*Row)))
	{
		return bOn ? Start(*Row, Own) : Stop(Own);
	}
	for (int32 Index = 0; !Name.empty() && Index < Scene.Things.Num(); ++Index)
	{
		Row = SoundOf(Index);
		if (Row != nullptr && IsNamed(*Row))
		{
			return bOn ? Start(*Row, Index) : Stop(Index);
		}
	}
	return false;
}

bool FStage::Stop(int32 Index)
{
	Playing.erase(Index);
	At(Index).Sound->Stop();
	return true;
}

bool FStage::Start(const FSoundRow& Row, int32 Index)
{
	Stop(Index);
	USoundBase* Wave = LoadObject<USoundBase>(nullptr, Row.Asset);
	if (Wave == nullptr)
	{
		UE_LOG(LogTemp, Warning, TEXT("the sound %s is not imported"), Row.Asset);
		return false;
	}
	At(Index).Sound->SetSound(Wave);
	At(Index).Sound->Play();
	Playing.insert(Index);
	return true;
}

// SoundsEnded plays those again that go round, and tells the program of others.
void FStage::SoundsEnded()
{
	const std::set<int32> Before = Playing;
	for (const int32 Index : Before)
	{
		UAudioComponent& Sound = *At(Index).Sound;
		if (Sound.IsPlaying())
		{
			continue;
		}
		if (SoundOf(Index)->bLoop)
		{
			Sound.Play();
			continue;
		}
		Playing.erase(Index);
		if (!At(Index).Id.IsEmpty())
		{
			Raise(Plain(At(Index).Id), "audio_end", Value::object());
		}
	}
}
} // namespace meshd
