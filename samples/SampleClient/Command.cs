using CoAP;

namespace SampleClient;

/// <summary>One run of the program: one request, or one observation.</summary>
internal static class Command
{
    private const int Success = 0, ErrorAnswer = 1, NoAnswer = 2;

    /// <summary>Writes the body of the response to the output and everything else to the log, and returns the exit code.</summary>
    public static async Task<int> RunAsync(string[] args, Stream output, TextWriter log)
    {
        if (!Arguments.TryParse(args, output, out var arguments, out var error))
        {
            log.WriteLine(error);
            log.WriteLine(Arguments.Usage);
            return NoAnswer;
        }

        await using var client = new CoapClient(new CoapClientSettings
        {
            Tls = new TlsClientSettings { TrustedRoots = arguments.TrustedRoots },
            Dtls = new DtlsClientSettings { PreSharedKey = arguments.Key, Certificate = arguments.Certificate, TrustedRoots = arguments.TrustedRoots },
        });
        try
        {
            if (arguments.ObserveFor is { } time) { return await Observation.PrintAsync(client, arguments, time, output, log) ? Success : ErrorAnswer; }

            // Both forms send the same request over the same engine. The synchronous form blocks this thread until the response has arrived.
            var response = arguments.IsSync ? client.Send(arguments.Request) : await client.SendAsync(arguments.Request);

            arguments.Progress?.End();
            log.WriteLine($"{response.Code} from {response.Remote} after {response.RoundTripTime.TotalMilliseconds:0.0} ms");
            foreach (var option in response.Options) { log.WriteLine(option); }
            output.Write(response.Payload.Span);
            return response.IsSuccess ? Success : ErrorAnswer;
        }
        catch (Exception exception) when (exception is CoapException or IOException or TimeoutException or FormatException or ArgumentException or NotSupportedException)
        {
            log.WriteLine(exception.Message);
            return NoAnswer;
        }
    }
}
