using CoAP;
using SampleClient;
using Samples;

const int Success = 0, ErrorAnswer = 1, NoAnswer = 2;

if (Help.IsShown(args, Arguments.Usage)) { return Success; }
if (!Arguments.TryParse(args, out var arguments, out var error))
{
    Console.Error.WriteLine(error);
    Console.Error.WriteLine(Arguments.Usage);
    return NoAnswer;
}

await using var client = new CoapClient(new CoapClientSettings
{
    Tls = new TlsClientSettings { TrustedRoots = arguments.TrustedRoots },
    Dtls = new DtlsClientSettings { PreSharedKey = arguments.Key, Certificate = arguments.Certificate, TrustedRoots = arguments.TrustedRoots },
});
try
{
    if (arguments.ObserveFor is { } time) { return await Observation.PrintAsync(client, arguments, time) ? Success : ErrorAnswer; }

    // Both forms send the same request over the same engine. The synchronous form blocks this thread until the response has arrived.
    var response = arguments.IsSync ? client.Send(arguments.Request) : await client.SendAsync(arguments.Request);

    arguments.Progress?.End();
    Console.Error.WriteLine($"{response.Code} from {response.Remote} after {response.RoundTripTime.TotalMilliseconds:0.0} ms");
    foreach (var option in response.Options) { Console.Error.WriteLine(option); }
    using var output = Console.OpenStandardOutput();
    output.Write(response.Payload.Span);
    return response.IsSuccess ? Success : ErrorAnswer;
}
catch (Exception exception) when (exception is CoapException or IOException or TimeoutException or FormatException or ArgumentException or NotSupportedException)
{
    Console.Error.WriteLine(exception.Message);
    return NoAnswer;
}
