namespace CoAP.Formats.Generation.Analysis;

/// <summary>When a property is left out: the numbers of System.Text.Json.Serialization.JsonIgnoreCondition.</summary>
internal enum IgnoreCondition
{
    /// <summary>Never.</summary>
    Never = 0,

    /// <summary>Always.</summary>
    Always = 1,

    /// <summary>If it has the default value of its type.</summary>
    WhenWritingDefault = 2,

    /// <summary>If it is null.</summary>
    WhenWritingNull = 3,
}
