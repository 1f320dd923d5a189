namespace CoAP.Formats;

/// <summary>Leaves a property out of CBOR. <c>[JsonIgnore]</c> leaves it out of JSON as well.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class PayloadIgnoreAttribute : Attribute;
