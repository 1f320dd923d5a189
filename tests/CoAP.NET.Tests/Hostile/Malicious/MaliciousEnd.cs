namespace CoAP.Tests.Hostile.Malicious;

/// <summary>How a call to a malicious server has to end.</summary>
/// <param name="Error">The type of the exception; <see langword="null"/> if the call gets a response.</param>
/// <param name="Says">A part of the error's message, which names the peer or the reason, or the code of the response.</param>
/// <param name="Seconds">The longest simulated time until the end.</param>
internal sealed record MaliciousEnd(Type? Error, string Says, double Seconds)
{
    /// <summary>The larger of 100 s and MAX_TRANSMIT_WAIT + 10 s, with what a timer may be late.</summary>
    public const double Quiet = 104;

    /// <summary>The time over which the rate of a body is averaged, and one more quiet time.</summary>
    public const double Slow = 600 + Quiet;

    /// <summary>The time after which a body of this rate, in bytes a second, is ten minutes late, and one more quiet time.</summary>
    public static double BehindAt(double rate) => 600 / (1 - rate / 16) + Quiet;

    public static MaliciousEnd Answer(string code) => new(null, code, Quiet);

    public static MaliciousEnd Silent(string says = "server did not answer", double seconds = Quiet) => new(typeof(CoapTimeoutException), says, seconds);

    public static MaliciousEnd Broken(string says, double seconds = Quiet) => new(typeof(CoapTransferException), says, seconds);

    public static MaliciousEnd Reset => new(typeof(CoapResetException), "server rejected the message with a Reset", Quiet);

    public static MaliciousEnd Lost(string says, double seconds = Quiet) => new(typeof(CoapTransportException), says, seconds);

    /// <summary>Asserts that a call has ended so.</summary>
    public void Check(Task<CoapResponse> call, TimeSpan elapsed)
    {
        call.IsCompleted.Should().BeTrue("the call must not wait for ever");
        Check(call.Exception?.InnerException, call.IsCompletedSuccessfully ? call.Result : null, elapsed);
    }

    /// <inheritdoc cref="Check(Task{CoapResponse}, TimeSpan)"/>
    public void Check(Exception? error, CoapResponse? response, TimeSpan elapsed)
    {
        var found = error is null ? $"response {response?.Code}" : $"{error.GetType().Name}: {error.Message}";
        (error?.GetType()).Should().Be(Error, "the call ended with {0} after {1} s", found.Replace("{", "(").Replace("}", ")"), elapsed.TotalSeconds);
        (error?.Message ?? $"{response!.Code}").Should().Contain(Says).And.NotEndWith("..");
        elapsed.TotalSeconds.Should().BeLessThanOrEqualTo(Seconds);
    }
}
