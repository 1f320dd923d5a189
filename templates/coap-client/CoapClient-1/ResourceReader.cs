using CoAP;

namespace ProgramNamespace;

/// <summary>Reads resources. Writes their states to <paramref name="output"/> and everything else to <paramref name="errors"/>.</summary>
public sealed class ResourceReader(IRequestSender sender, TextWriter output, TextWriter errors)
{
    /// <summary>Reads the current state of a resource.</summary>
    /// <returns>The exit code of the program.</returns>
    public async Task<int> GetAsync(string uri, CancellationToken cancellationToken)
    {
        return Write(await sender.GetAsync(uri, cancellationToken));
    }

    /// <summary>Observes a resource until the server ends the observation, or <paramref name="count"/> states have arrived.</summary>
    /// <returns>The exit code of the program.</returns>
    public async Task<int> ObserveAsync(string uri, int? count, CancellationToken cancellationToken)
    {
        var (exitCode, received) = (ExitCode.NoResponse, 0);
        var observation = sender.ObserveAsync(uri, cancellationToken);
        await foreach (var notification in observation)
        {
            exitCode = Write(notification.Response);
            if (++received == count) { break; }
        }
        if (observation.EndReason == ObservationEnd.NotObserved) { errors.WriteLine("The resource is not observable. This is its current state."); }
        return exitCode;
    }

    private int Write(CoapResponse response)
    {
        if (response.IsSuccess)
        {
            output.WriteLine(response.PayloadText);
            return ExitCode.Success;
        }
        errors.WriteLine($"The server answered with an error: {response.Code} {response.PayloadText}".TrimEnd());
        return ExitCode.ErrorResponse;
    }
}
