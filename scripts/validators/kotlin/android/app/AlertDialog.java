package android.app;

import android.content.DialogInterface;
public class AlertDialog {
    public static class Builder {
        public Builder(android.content.Context context) {}
        public Builder setMessage(CharSequence text) { return this; }
        public Builder setPositiveButton(int id, DialogInterface.OnClickListener l) { return this; }
        public Builder setNegativeButton(int id, DialogInterface.OnClickListener l) { return this; }
        public AlertDialog show() { return null; }
    }
}
