namespace CoAP.Interop.Tests.Programs;

/// <summary>Our sample client as a process.</summary>
internal static class SampleClient
{
    public static Task<Outcome> RunAsync(params string[] arguments) =>
        RunningProgram.RunAsync("dotnet", [Repository.Sample("SampleClient"), .. arguments]);
}
