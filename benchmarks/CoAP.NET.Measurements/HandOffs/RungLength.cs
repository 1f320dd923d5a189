namespace CoAP.Measurements.HandOffs;

/// <summary>The three lengths of the document's runs.</summary>
internal enum RungLength
{
    /// <summary>Nobody sleeps.</summary>
    Spinning,

    /// <summary>Between threads of a process.</summary>
    Within,

    /// <summary>Between processes.</summary>
    Across,
}
