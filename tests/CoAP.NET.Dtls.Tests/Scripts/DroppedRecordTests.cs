using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using CoAP.Dtls;
using static CoAP.Tests.Dtls.Scripts.ScriptedDevice;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>Records that a server drops without an answer (RFC 6347, section 4.1.2.7), and the reason that it counts.</summary>
public sealed class DroppedRecordTests : ScriptedTest
{
    [Theory, Trait("RFC", "6347 4.1.2.1"), Trait("RFC", "6347 4.1.2.7"), Trait("RFC", "6066 4")]
    [InlineData("not_authentic"), InlineData("replayed"), InlineData("no_session"), InlineData("short"), InlineData("other version"),
        InlineData("too_long")]
    public void Dropped_records_are_not_answered_and_change_nothing(string reason)
    {
        Serve();
        var isTooLong = reason == "too_long";
        var device = Begin(maxFragment: isTooLong ? (byte)1 : (byte)0);
        var payload = isTooLong ? $" '{new string('a', 512)}'" : "";
        var record = device.Seal(ContentType.ApplicationData, Message($"CON [0x0001] GET /who (Token 0x71){payload}"));
        if (reason == "replayed")
        {
            device.Send(Home, record);
            device.RunFor(0.1);
            device.Forget();
        }
        const int VersionAt = 1, IdAt = 11;
        switch (reason)
        {
            case "not_authentic": record[^1] ^= 1; break;
            case "no_session": record[IdAt + 7] ^= 1; break;
            case "short": record = record[..^1]; break;
            case "other version": record[VersionAt] = 3; break;
            default: break;
        }
        var counted = new ConcurrentQueue<object?>();
        using var listener = Listen(counted);

        device.Send(Home, record);
        device.RunFor(5);

        device.Arrivals.Should().BeEmpty();
        if (reason is not ("short" or "other version")) { counted.Should().Contain(reason); }
        ExpectAlive(device);
    }

    // Other tests run at the same time.
    private static MeterListener Listen(ConcurrentQueue<object?> counted)
    {
        var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name == "coap.dtls.dropped") { listener.EnableMeasurementEvents(instrument); }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) =>
        {
            foreach (var (_, value) in tags) { counted.Enqueue(value); }
        });
        listener.Start();
        return listener;
    }
}
