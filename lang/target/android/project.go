package android

import (
	"cmp"
	"fmt"

	"github.com/meshd/meshd/lang/target/artefact"
)

// manifest says what the application is and what it asks for: nothing that it does
// not use.
func (w *writer) manifest(name string) []byte {
	var d artefact.XML
	d.Begin(w.in.Header())
	d.Comment(unbuilt)
	d.Open("manifest", "xmlns:android", "http://schemas.android.com/apk/res/android")
	if w.d.immersed {
		d.Empty("uses-feature", "android:name", "android.software.xr.api.spatial", "android:required", "true")
		if w.anchor {
			d.Empty("uses-permission", "android:name", "android.permission.SCENE_UNDERSTANDING_COARSE")
		}
	} else {
		d.Empty("uses-permission", "android:name", "android.permission.CAMERA")
		d.Empty("uses-feature", "android:name", "android.hardware.camera.ar", "android:required", "true")
	}
	d.Open("application", "android:label", cmp.Or(artefact.Readable(w.s.Name), "Scene"), "android:theme", "@android:style/Theme.Material.Light.NoActionBar")
	if w.d.immersed {
		d.Empty("property", "android:name", "android.window.PROPERTY_XR_ACTIVITY_START_MODE", "android:value", "XR_ACTIVITY_START_MODE_FULL_SPACE_MANAGED")
	} else {
		d.Empty("meta-data", "android:name", "com.google.ar.core", "android:value", "required")
	}
	d.Open("activity", "android:name", name+".MainActivity", "android:exported", "true", "android:configChanges", "orientation|screenSize|screenLayout|keyboardHidden|density|uiMode")
	d.Open("intent-filter")
	d.Empty("action", "android:name", "android.intent.action.MAIN")
	d.Empty("category", "android:name", "android.intent.category.LAUNCHER")
	d.Close("intent-filter")
	d.Close("activity")
	d.Close("application")
	d.Close("manifest")
	return d.Bytes()
}

const settings = `pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

dependencyResolutionManagement {
    repositories {
        google()
        mavenCentral()
    }
}

rootProject.name = "scene"
`

// build is the project: every version is pinned.
func (w *writer) build(name string) string {
	least, libraries := 28, `    implementation("io.github.sceneview:arsceneview:2.2.1")
    implementation("androidx.activity:activity-ktx:1.9.3")
    implementation("androidx.core:core-ktx:1.15.0")
`
	compile, gradle, kotlin := 35, "8.9.1", "2.0.21"
	if w.d.immersed {
		least, compile, gradle, kotlin = 34, 36, "8.13.0", "2.2.20"
		libraries = `    implementation("androidx.xr.runtime:runtime:1.0.0-beta01")
    implementation("androidx.xr.scenecore:scenecore:1.0.0-beta01")
    implementation("androidx.xr.arcore:arcore:1.0.0-beta01")
    implementation("androidx.activity:activity-ktx:1.9.3")
    implementation("androidx.core:core-ktx:1.15.0")
    implementation("androidx.lifecycle:lifecycle-runtime-ktx:2.8.7")
`
	}
	return fmt.Sprintf(`plugins {
    id("com.android.application") version "%s"
    id("org.jetbrains.kotlin.android") version "%s"
}

// The sources lie beside this file; Gradle's own files are not among them.
val sources = tasks.register<Sync>("sources") {
    from(layout.projectDirectory) { include("*.kt") }
    into(layout.buildDirectory.dir("scene"))
}

android {
    namespace = %s
    compileSdk = %d

    defaultConfig {
        applicationId = %s
        minSdk = %d
        targetSdk = 35
        versionCode = 1
        versionName = "1.0"
    }

    sourceSets.getByName("main") {
        manifest.srcFile("AndroidManifest.xml")
        java.setSrcDirs(listOf(layout.buildDirectory.dir("scene").get().asFile))
        assets.setSrcDirs(listOf("assets"))
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
}

kotlin {
    jvmToolchain(17)
}

tasks.named("preBuild") {
    dependsOn(sources)
}

dependencies {
%s}
`, gradle, kotlin, quoted(name), compile, quoted(name), least, libraries)
}
