namespace CoAP.Hosting;

/// <summary>Reads a parameter of a typed handler from the payload, in the format that Content-Format names.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromPayloadAttribute : Attribute;
