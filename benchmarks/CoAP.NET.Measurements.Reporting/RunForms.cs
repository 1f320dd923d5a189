namespace CoAP.Measurements.Reporting;

/// <summary>What depends on the form of a run.</summary>
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
