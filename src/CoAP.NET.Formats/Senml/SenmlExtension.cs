namespace CoAP.Formats;

/// <summary>A field of a SenML record that RFC 8428 does not define (RFC 8428, section 4.4).</summary>
/// <param name="Label">
/// The name of the field. Labels that begin with "b" are base fields of the pack. If the label ends with "_", receivers that do not know the field
/// must refuse the pack.
/// </param>
/// <param name="Value">The value.</param>
public sealed record SenmlExtension(string Label, SenmlValue Value);
