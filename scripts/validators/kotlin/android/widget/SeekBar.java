package android.widget;

public class SeekBar extends ProgressBar {
    public SeekBar(android.content.Context c) { super(c); }
    public void setOnSeekBarChangeListener(OnSeekBarChangeListener l) {}
    public interface OnSeekBarChangeListener {
        void onProgressChanged(SeekBar b, int progress, boolean fromUser);
        void onStartTrackingTouch(SeekBar b);
        void onStopTrackingTouch(SeekBar b);
    }
}
