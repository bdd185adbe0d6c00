// Punctual lights as KHR_lights_punctual states them: inverse square within a range window, spots between two cones.
#import "drawloom/render/shaders/lighting_bindings.wgsl"

const kMinLightDistance: f32 = 0.01; // metres; nearer, the inverse square would leave half floats

struct ArrivingLight {
    direction: vec3f, // unit, towards the light
    irradiance: vec3f, // on a plane that faces it; lux
}

fn arrivingLight(light: LightRecord, position: vec3f) -> ArrivingLight {
    if (light.colorType.w == f32(kLightDirectional)) {
        return ArrivingLight(-light.directionOffset.xyz, light.colorType.rgb);
    }
    let toLight = light.positionRange.xyz - position;
    let distance = max(length(toLight), kMinLightDistance);
    let direction = toLight / distance;
    var attenuation = 1.0 / (distance * distance);
    if (light.positionRange.w > 0.0) {
        let part = distance / light.positionRange.w;
        attenuation *= saturate(1.0 - part * part * part * part);
    }
    if (light.colorType.w == f32(kLightSpot)) {
        let angular = saturate(dot(light.directionOffset.xyz, -direction) * light.spot.x + light.directionOffset.w);
        attenuation *= angular * angular;
    }
    return ArrivingLight(direction, light.colorType.rgb * attenuation);
}
