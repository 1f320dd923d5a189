namespace CoAP.Formats;

/// <summary>The kinds of values that a SenML record can have (RFC 8428, section 4.2).</summary>
public enum SenmlValueKind
{
    /// <summary>A number: the field "v".</summary>
    Number,

    /// <summary>A text: the field "vs".</summary>
    Text,

    /// <summary><see langword="true"/> or <see langword="false"/>: the field "vb".</summary>
    Boolean,

    /// <summary>Bytes: the field "vd".</summary>
    Data,
}
