// The controls of the scene, in one column, bound to its state.

namespace
{
FString Said(const meshd::Value& V)
{
	using namespace meshd;
	if (V.isNull())
	{
		return FString();
	}
	return Shown(V.is(Kind::Number) ? formatNumber(std::floor(V.real() * 100.0 + 0.5) / 100.0) : textOf(V));
}
} // namespace

TSharedRef<SWidget> UMeshdControls::RebuildWidget()
{
	UVerticalBox* Column = WidgetTree->ConstructWidget<UVerticalBox>();
	WidgetTree->RootWidget = Column;
	Controls.Reset();
	TArray<UPanelWidget*> Boxes;
	for (int32 Row = 0; Row < meshd::SceneData.Controls.Count; ++Row)
	{
		const int32 Above = meshd::SceneData.Controls[Row].Above;
		UWidget* Made = Make(Row);
		UPanelWidget* Under = Above == INDEX_NONE || Boxes[Above] == nullptr ? Column : Boxes[Above];
		Under->AddChild(Made);
		Boxes.Add(Cast<UPanelWidget>(Made));
	}
	return Super::RebuildWidget();
}

// Make makes one control, with its label before it.
UWidget* UMeshdControls::Make(int32 Row)
{
	const meshd::FControlRow& From = meshd::SceneData.Controls[Row];
	const FString Kind = From.Kind, Label = From.Label;
	UMeshdControl* Control = NewObject<UMeshdControl>(this);
	Control->Scene = Scene;
	Control->Row = Row;
	Controls.Add(Control);
	const auto Words = [this](const FString& Text) {
		UTextBlock* Out = WidgetTree->ConstructWidget<UTextBlock>();
		Out->SetText(FText::FromString(Text));
		return Out;
	};
	if (Kind == TEXT("panel") || Kind == TEXT("section"))
	{
		UVerticalBox* Box = WidgetTree->ConstructWidget<UVerticalBox>();
		if (!Label.IsEmpty())
		{
			Box->AddChild(Words(Label));
		}
		return Box;
	}
	if (Kind == TEXT("button"))
	{
		UButton* Button = WidgetTree->ConstructWidget<UButton>();
		UTextBlock* Text = Words(Label);
		Button->AddChild(Text);
		Button->SetIsEnabled(From.bEnabled);
		Button->OnClicked.AddDynamic(Control, &UMeshdControl::Pressed);
		Control->Widget = Text;
		Fill(Control);
		return Button;
	}
	UWidget* Main = nullptr;
	if (Kind == TEXT("slider") || Kind == TEXT("progress"))
	{
		USlider* Slider = WidgetTree->ConstructWidget<USlider>();
		Slider->SetMinValue(From.Low);
		Slider->SetMaxValue(From.High);
		Slider->SetStepSize(From.Step);
		Slider->SetLocked(Kind == TEXT("progress"));
		Slider->OnValueChanged.AddDynamic(Control, &UMeshdControl::Slid);
		Main = Slider;
	}
	else if (Kind == TEXT("checkbox"))
	{
		UCheckBox* Box = WidgetTree->ConstructWidget<UCheckBox>();
		Box->OnCheckStateChanged.AddDynamic(Control, &UMeshdControl::Ticked);
		Main = Box;
	}
	else if (Kind == TEXT("input"))
	{
		UEditableTextBox* Box = WidgetTree->ConstructWidget<UEditableTextBox>();
		Box->OnTextCommitted.AddDynamic(Control, &UMeshdControl::Typed);
		Main = Box;
	}
	else if (Kind == TEXT("dropdown"))
	{
		UComboBoxString* Box = WidgetTree->ConstructWidget<UComboBoxString>();
		const meshd::Value Choices = meshd::JsonOf(From.Options);
		if (Choices.is(meshd::Kind::List))
		{
			for (const meshd::Value& Choice : Choices.items().items)
			{
				Box->AddOption(Said(Choice));
			}
		}
		Box->OnSelectionChanged.AddDynamic(Control, &UMeshdControl::Chosen);
		Main = Box;
	}
	else // a text; a picture is its label
	{
		UTextBlock* Text = Words(Label);
		Control->Widget = Text;
		Fill(Control);
		return Text;
	}
	Main->SetIsEnabled(From.bEnabled);
	Control->Widget = Main;
	UHorizontalBox* Line = WidgetTree->ConstructWidget<UHorizontalBox>();
	Line->AddChild(Words(Label));
	Line->AddChild(Main);
	Tell(From.Bind, meshd::JsonOf(From.Value));
	return Line;
}

// Fill shows a text whose ${key} are state keys.
void UMeshdControls::Fill(UMeshdControl* Control)
{
	UTextBlock* Text = Cast<UTextBlock>(Control->Widget);
	FString Rest = meshd::SceneData.Controls[Control->Row].Label, Out, Before, Key;
	while (Rest.Split(TEXT("${"), &Before, &Rest))
	{
		Out += Before;
		if (!Rest.Split(TEXT("}"), &Key, &Rest))
		{
			break;
		}
		Key = Key.TrimStartAndEnd().Replace(TEXT("state."), TEXT("")).Replace(TEXT("this."), TEXT(""));
		if (const FString* Known = Last.Find(Key))
		{
			Out += *Known;
		}
	}
	Text->SetText(FText::FromString(Out + Rest));
}

void UMeshdControls::Tell(const FString& Key, const meshd::Value& Value)
{
	const FString Words = Said(Value);
	Last.Add(Key, Words);
	bTelling = true;
	for (UMeshdControl* Control : Controls)
	{
		const meshd::FControlRow& From = meshd::SceneData.Controls[Control->Row];
		const bool bBound = !Key.IsEmpty() && Key == From.Bind;
		if (UTextBlock* Text = Cast<UTextBlock>(Control->Widget))
		{
			if (bBound)
			{
				Text->SetText(FText::FromString(Words));
			}
			else if (FString(From.Label).Contains(TEXT("${")))
			{
				Fill(Control);
			}
		}
		else if (!bBound)
		{
			continue;
		}
		else if (USlider* Slider = Cast<USlider>(Control->Widget))
		{
			Slider->SetValue(static_cast<float>(Value.is(meshd::Kind::Number) ? Value.real() : From.Low));
		}
		else if (UCheckBox* Box = Cast<UCheckBox>(Control->Widget))
		{
			Box->SetIsChecked(meshd::truthy(Value));
		}
		else if (UEditableTextBox* Line = Cast<UEditableTextBox>(Control->Widget))
		{
			Line->SetText(FText::FromString(Words));
		}
		else if (UComboBoxString* Choice = Cast<UComboBoxString>(Control->Widget))
		{
			Choice->SetSelectedOption(Words);
		}
	}
	bTelling = false;
}

namespace
{
// Changed brings what a person chose to the state and to the program.
void Changed(UMeshdControl& Control, const meshd::Value& V)
{
	const meshd::FControlRow& From = meshd::SceneData.Controls[Control.Row];
	if (Control.Scene->GetControls() == nullptr || Control.Scene->GetControls()->bTelling)
	{
		return;
	}
	const FString Json = meshd::Shown(meshd::shown(V));
	if (From.Bind[0] != 0)
	{
		Control.Scene->SetState(From.Bind, Json);
	}
	const meshd::Value Payload = meshd::Value::object();
	Payload.fields().put("id", meshd::Value::str(meshd::Plain(From.Id)));
	Payload.fields().put("value", V);
	Control.Scene->RaiseEvent(meshd::Shown(meshd::SceneOwner), TEXT("change"), meshd::Shown(meshd::shown(Payload)));
}
} // namespace

void UMeshdControl::Pressed()
{
	const FString Id = meshd::SceneData.Controls[Row].Id;
	const meshd::Value Payload = meshd::Value::object();
	Payload.fields().put("id", meshd::Value::str(meshd::Plain(Id)));
	Scene->RaiseEvent(meshd::Shown(meshd::SceneOwner), TEXT("ui:") + Id, meshd::Shown(meshd::shown(Payload)));
}

void UMeshdControl::Slid(float Value) { Changed(*this, meshd::Value::num(Value)); }
void UMeshdControl::Ticked(bool bValue) { Changed(*this, meshd::Value::yes(bValue)); }
void UMeshdControl::Typed(const FText& Text, ETextCommit::Type)
{
	const meshd::Value Words = meshd::Value::str(meshd::Plain(Text.ToString()));
	Changed(*this, meshd::SceneData.Controls[Row].bNumber ? meshd::numberOf(Words) : Words);
}

void UMeshdControl::Chosen(FString Item, ESelectInfo::Type) { Changed(*this, meshd::Value::str(meshd::Plain(Item))); }
