using System.CommandLine;

namespace CoAP.Tool.Connecting;

/// <summary>Two arguments of which neither makes sense alone.</summary>
internal static class Together
{
    /// <summary>Makes one without the other an error of the command line.</summary>
    public static void Require(Command command, Option one, Option other) => command.Validators.Add(result =>
    {
        if (result.GetResult(one) is null != result.GetResult(other) is null) { result.AddError($"{one.Name} and {other.Name} must be given together."); }
    });
}
