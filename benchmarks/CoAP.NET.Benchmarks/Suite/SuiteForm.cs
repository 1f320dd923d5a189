namespace CoAP.Benchmarks.Suite;

/// <summary>How thoroughly something is measured.</summary>
internal enum SuiteForm
{
    /// <summary>Everything once, to see that it runs.</summary>
    Dry,

    /// <summary>The corners, in a minute or two.</summary>
    Quick,

    /// <summary>What a quarter of an hour allows.</summary>
    Usual,

    /// <summary>Everything, with the benchmark runner's own patience: hours.</summary>
    Full,
}
