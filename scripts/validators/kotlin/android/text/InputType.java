package android.text;

public interface InputType {
    int TYPE_CLASS_TEXT = 1; int TYPE_CLASS_NUMBER = 2; int TYPE_NUMBER_FLAG_SIGNED = 4096; int TYPE_NUMBER_FLAG_DECIMAL = 8192; int TYPE_TEXT_VARIATION_PASSWORD = 128;
}
