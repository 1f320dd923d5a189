using CoAP.Transports;

namespace CoAP.Tests.Transports;

public sealed class TransportCountersTests
{
    // The totals are those of the whole process, so other tests may add to them: this is more than they do.
    private const int Many = 1_000_000_000;

    [Fact]
    public void Totals_include_open_and_closed_transports()
    {
        var before = TransportCounters.Total(static counters => counters.ReceiveOverflow);
        var cut = TransportCounters.Open();

        cut.OnReceiveOverflow(Many);
        var whileOpen = TransportCounters.Total(static counters => counters.ReceiveOverflow);
        cut.Close();
        cut.Close();
        var afterClose = TransportCounters.Total(static counters => counters.ReceiveOverflow);

        (whileOpen - before).Should().BeInRange(Many, Many + (Many / 2));
        (afterClose - before).Should().BeInRange(Many, Many + (Many / 2));
    }

    [Fact]
    public void Each_counter_survives_the_end_of_its_transport()
    {
        var before = ReadTotals();
        var cut = TransportCounters.Open();

        cut.OnReceived();
        cut.OnSent(2);
        cut.OnSystemCall();
        cut.OnSendFailed(4);
        cut.OnReceiveOverflow(5);
        cut.OnOversized();
        cut.OnNetworkError();
        var counted = ReadAll.Select(read => read(cut)).ToArray();
        cut.Close();

        counted.Should().Equal(1, 2, 1, 4, 5, 1, 1);
        ReadTotals().Zip(before, counted).Should().OnlyContain(total => total.First - total.Second >= total.Third);
    }

    private static Func<TransportCounters, long>[] ReadAll { get; } =
    [
        counters => counters.DatagramsReceived, counters => counters.DatagramsSent, counters => counters.SystemCalls, counters => counters.SendFailures,
        counters => counters.ReceiveOverflow, counters => counters.Oversized, counters => counters.NetworkErrors,
    ];

    private static long[] ReadTotals() => [.. ReadAll.Select(TransportCounters.Total)];
}
