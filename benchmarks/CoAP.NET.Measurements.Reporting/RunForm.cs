namespace CoAP.Measurements.Reporting;

/// <summary>How thoroughly something is measured.</summary>
internal enum RunForm
{
    /// <summary>Everything once and the smallest only, to see that it runs.</summary>
    Dry,

    /// <summary>The corners, in a minute or two.</summary>
    Quick,

    /// <summary>What a quarter of an hour allows.</summary>
    Usual,

    /// <summary>Everything, however long it takes.</summary>
    Full,
}
