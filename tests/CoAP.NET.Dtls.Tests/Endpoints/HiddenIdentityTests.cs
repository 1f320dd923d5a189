using CoAP.Dtls;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A client cannot find out which identities a server knows (RFC 4279, section 2), in simulated time.</summary>
public sealed class HiddenIdentityTests
{
    private const int IdLength = 8;

    // Also if the key store needs longer for an identity that it does not know.
    [Theory, Trait("RFC", "4279 2"), Trait("RFC", "7925 6"), InlineData(0), InlineData(300)]
    public void An_unknown_identity_and_a_wrong_key_look_the_same_to_everybody_but_the_server(int milliseconds)
    {
        var delay = TimeSpan.FromMilliseconds(milliseconds);

        var unknown = Run("device-8", delay);
        var wrong = Run("device-7", delay);

        unknown.Records.Should().Equal(wrong.Records);
        unknown.Records.Should().ContainSingle(static record => record.Contains("Alert", StringComparison.Ordinal)).Which.Should()
            .EndWith("0233", "fatal, decrypt_error");
        unknown.Error.Replace("device-8", "device-7", StringComparison.Ordinal).Should().Be(wrong.Error);
        unknown.Log.Should().Contain("The client's PSK identity 'device-8' is unknown to the key store");
        wrong.Log.Should().Contain("The client probably has another key for the identity 'device-7'");
    }

    private static (List<string> Records, string Error, string Log) Run(string identity, TimeSpan delayOfUnknown)
    {
        var wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
        var keys = PskStore.From(async (name, cancellationToken) =>
        {
            if (name == "device-7") { return [.. "a key of 16 bytes"u8]; }
            if (delayOfUnknown > TimeSpan.Zero) { await Task.Delay(delayOfUnknown, wire.Time, cancellationToken); }
            return null;
        });
        using var server = LaneEnd.Server(wire, static _ => { },
            new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = keys, ComputesOnLane = true } });
        var settings = new DtlsClientSettings { PreSharedKey = new(identity, "another key"u8), ComputesOnLane = true };
        using var client = LaneEnd.Client(wire, new CoapClientSettings { Dtls = settings });

        var answer = client.Send(new CoapRequest(RequestCode.Get, "/"), PeerNames.OfServer(wire.Server, "server"));
        wire.RunUntilIdle(TimeSpan.FromMinutes(10));

        var error = answer.Exception!.InnerException.Should().BeOfType<CoapSecurityException>().Which;
        error.Failure.Should().Be(TlsFailure.Key);
        return (RecordsOf(wire), error.Message, server.Log.Lines(LogLevel.Information).Should().ContainSingle().Subject);
    }

    // The time, the direction, the type, the epoch and the length of each record, and alerts in the clear.
    private static List<string> RecordsOf(Wire wire)
    {
        var sent = wire.Sent(Direction.ToServer).Concat(wire.Sent(Direction.ToClient)).OrderBy(static one => one.Time)
            .ThenBy(static one => one.To.ToString(), StringComparer.Ordinal);
        var records = new List<string>();
        foreach (var datagram in sent)
        {
            var rest = datagram.Bytes.ToArray().AsSpan();
            while (DtlsRecord.TryRead(ref rest, datagram.To == wire.Server ? IdLength : 0, out var record))
            {
                var alert = record.Type == ContentType.Alert ? Convert.ToHexString(record.Body) : "";
                records.Add($"{datagram.Time} to {datagram.To}: {record.Type} {record.Number} {record.Body.Length} {alert}");
            }
        }
        return records;
    }
}
