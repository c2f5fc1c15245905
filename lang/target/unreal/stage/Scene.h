// What the scene is, as data: Scene.cpp holds it, AMeshdScene shows it. Places are
// in centimetres, left-handed, X ahead and Z up. The class stands in MeshdScene.h,
// since the engine has a header Scene.h of its own and takes each name once.
#pragma once

#include "CoreMinimal.h"

namespace meshd
{
// TRows are the rows of a table.
template <class T> struct TRows
{
	const T* Rows;
	int32 Count;
	const T* begin() const { return Rows; }
	const T* end() const { return Rows + Count; }
	const T& operator[](int32 Index) const { return Rows[Index]; }
};

enum class EBodyKind : uint8 { None, Rigid, Kinematic, Fixed, Area };
enum class EFormKind : uint8 { Box, Ball, Capsule, Hull, Triangles };
enum class EShineKind : uint8 { Directional, Point, Spot, Area };
enum class EBlendKind : uint8 { Opaque, Masked, Blended, Glass };
enum class EJointKind : uint8 { Lock, Hinge, Slider, Ball };

// FBodyRow is how a node moves and bumps. Size are half extents; the radius of a
// ball; radius and half height of a capsule. Mesh is that of a hull or triangles.
struct FBodyRow
{
	EFormKind Form;
	double Size[3];
	int32 Mesh;
	double Mass, GravityFactor, Friction, Bounce, Damping;
	bool bCollides;
};

// FThingRow is a node. Inside is the scale of what belongs to a body, which has
// none itself. Touch are half extents of what the pointer finds, 0 without it. A
// prototype stands behind all other rows and is not in the scene: a program makes
// copies of it.
struct FThingRow
{
	const TCHAR *Id, *Name;
	int32 Parent;
	double At[3], Turn[4], Size[3];
	bool bShown;
	EBodyKind Kind;
	int32 Body;
	double Inside[3];
	int32 Mesh, Surface;
	double Touch[3];
	bool bGrab, bShared, bPrototype;
	const TCHAR* Model;
};

// FMeshRow are corners of eight numbers (place, normal, texture) and triangles.
struct FMeshRow
{
	const float* Corners;
	int32 CornerCount;
	const int32* Order;
	int32 OrderCount;
};

// FSurfaceRow is a material. Colours are linear; files lie below Content/Scene.
struct FSurfaceRow
{
	float Color[4], Glow[3], Metallic, Roughness, Specular, Refraction;
	EBlendKind Blend;
	bool bUnlit, bTwoSided;
	const TCHAR *ColorMap, *NormalMap, *PackedMap, *GlowMap;
};

// FShineRow is a light: lux of a directional one, candela of the others.
struct FShineRow
{
	int32 Thing;
	EShineKind Kind;
	float Color[3], Intensity, Reach, Outer, Inner, Width, Height;
	bool bShadow;
};

// FCameraRow looks along X. FieldOfView is horizontal at 16 to 9.
struct FCameraRow
{
	int32 Thing;
	float FieldOfView, OrthoWidth, Near;
};

struct FSoundRow
{
	int32 Thing;
	const TCHAR* Asset;
	float Volume, Near, Far;
	bool bLoop, bPlays;
};

// FTextRow is lettering. Size is the height of a capital, Front how far before the
// node it stands.
struct FTextRow
{
	int32 Thing;
	const TCHAR* Text;
	float Size, Front;
	uint8 Align;
	float Color[3];
};

// FJointRow holds a body to another; -1 is the world. Low and High are degrees of a
// hinge, centimetres of a slider.
struct FJointRow
{
	int32 Thing, Other;
	EJointKind Kind;
	double Axis[3], Low, High;
	bool bLimited, bDriven;
};

// FSparkRow is an emitter of squares.
struct FSparkRow
{
	int32 Thing;
	double Rate, LifeShort, LifeLong, Speed, Spread, Gravity, From, To, Width;
	double Aim[3];
	float Start[4], End[4];
	int32 Most;
	bool bAdds;
};

// FControlRow is a control of the flat interface; Above is the row of what it
// stands in.
struct FControlRow
{
	int32 Above;
	const TCHAR *Kind, *Id, *Label, *Bind, *Value, *Options;
	double Low, High, Step;
	bool bEnabled, bNumber;
};

struct FTrackRow
{
	const char *Node, *Property;
	const double* Keys;
	int32 Width, Count;
	const char* Easing;
	int32 Loop;
	bool bPlays, bBack;
};

struct FAirRow
{
	double Gravity[3];
	TRows<FLinearColor> Sky; // from above to below
	const TCHAR* SkyPicture;
	float Above[3], Below[3]; // light from everywhere, by where it comes from
	bool bFog;
	float FogColor[3], FogDensity, Exposure;
	bool bFilmic;
	float Bloom, BloomThreshold, Vignette, Grain, Fringe, Occlusion, Reflections, Blur, Saturation, Contrast, Gain;
	bool bImmersive;
};

struct FSceneData
{
	TRows<FThingRow> Things;
	TRows<FBodyRow> Bodies;
	TRows<FMeshRow> Meshes;
	TRows<FSurfaceRow> Surfaces;
	TRows<FShineRow> Shines;
	TRows<FCameraRow> Cameras;
	TRows<FSoundRow> Sounds;
	TRows<FTextRow> Texts;
	TRows<FJointRow> Joints;
	TRows<FSparkRow> Sparks;
	TRows<FControlRow> Controls;
	TRows<FTrackRow> Tracks;
	FAirRow Air;
	TRows<const char*> Program; // pieces of program/1; none where nothing happens
	TRows<const char*> Nodes;   // the same of JSON: id, id above, name, properties of each node
	TRows<const char*> Notes;   // what only other tools read of nodes, by their ids
	TRows<const char*> Kept;    // agents and other blocks that nothing here runs
};

extern const FSceneData SceneData;
} // namespace meshd
