package android.text;

public interface InputFilter { class LengthFilter implements InputFilter { public LengthFilter(int most) {} } }
