namespace CoAP.Benchmarks.Reporting;

/// <summary>How thoroughly a command measures.</summary>
internal enum RunForm
{
    /// <summary>Everything once and briefly. The figures mean nothing; the run shows that everything works.</summary>
    Dry,

    /// <summary>A few points in a minute or two.</summary>
    Quick,

    /// <summary>About a quarter of an hour.</summary>
    Usual,

    /// <summary>Everything, however long it takes.</summary>
    Full,
}

internal static class RunForms
{
    public static T Choose<T>(this RunForm form, T dry, T quick, T usual, T full) => form switch
    {
        RunForm.Dry => dry,
        RunForm.Quick => quick,
        RunForm.Usual => usual,
        _ => full,
    };
}
