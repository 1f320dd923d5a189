using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Tests.Transports;

public sealed class TransportCountersTests
{
    // The totals are those of the whole process, so other tests may add to them: this is more than they do.
    private const int Many = 1_000_000_000;

    [Fact]
    public void Totals_include_open_and_closed_transports()
    {
        var before = TransportCounters.ReceiveOverflow.Sum();
        var cut = TransportCounters.Open();

        cut[TransportCounters.ReceiveOverflow] += Many;
        var whileOpen = TransportCounters.ReceiveOverflow.Sum();
        cut.Close();
        cut.Close();
        var afterClose = TransportCounters.ReceiveOverflow.Sum();

        (whileOpen - before).Should().BeInRange(Many, Many + (Many / 2));
        (afterClose - before).Should().BeInRange(Many, Many + (Many / 2));
    }

    [Fact]
    public void Each_counter_survives_the_end_of_its_transport()
    {
        var before = ReadTotals();
        var cut = TransportCounters.Open();

        cut[TransportCounters.DatagramsReceived]++;
        cut[TransportCounters.DatagramsSent] += 2;
        cut[TransportCounters.SystemCalls]++;
        cut[TransportCounters.SendFailures] += 4;
        cut[TransportCounters.ReceiveOverflow] += 5;
        cut[TransportCounters.Oversized]++;
        cut[TransportCounters.NetworkErrors]++;
        var counted = All.Select(counter => cut[counter]).ToArray();
        cut.Close();

        counted.Should().Equal(1, 2, 1, 4, 5, 1, 1);
        ReadTotals().Zip(before, counted).Should().OnlyContain(total => total.First - total.Second >= total.Third);
    }

    private static Counter[] All { get; } =
    [
        TransportCounters.DatagramsReceived, TransportCounters.DatagramsSent, TransportCounters.SystemCalls, TransportCounters.SendFailures,
        TransportCounters.ReceiveOverflow, TransportCounters.Oversized, TransportCounters.NetworkErrors,
    ];

    private static long[] ReadTotals() => [.. All.Select(static counter => counter.Sum())];
}
