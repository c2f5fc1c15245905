package android.opengl;

public class Matrix {
    public static void multiplyMM(float[] r, int ro, float[] a, int ao, float[] b, int bo) {}
    public static void multiplyMV(float[] r, int ro, float[] a, int ao, float[] b, int bo) {}
    public static boolean invertM(float[] r, int ro, float[] m, int mo) { return true; }
}
