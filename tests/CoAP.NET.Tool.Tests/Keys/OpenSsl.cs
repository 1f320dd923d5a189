using System.ComponentModel;
using System.Diagnostics;

namespace CoAP.Tool.Tests.Keys;

/// <summary>The command "openssl", an independent judge of certificates.</summary>
internal static class OpenSsl
{
    /// <summary>Runs the command and returns its output. Skips the test if the command is not installed.</summary>
    public static async Task<string> RunAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo("openssl", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = Start(start);
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return await output + await error;
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            throw new SkipException("The command openssl is not installed.");
        }
    }
}
