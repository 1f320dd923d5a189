using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>Handshakes with pre-shared keys between our client and our server.</summary>
public sealed class PskHandshakeTests
{
    [Theory, Trait("RFC", "7925 4.2"), Trait("RFC", "7925 9"), Trait("RFC", "6347 4.2"), Trait("RFC", "9146 3")]
    [InlineData("PSK-AES128-CCM8", 0xC0A8), InlineData("PSK-AES128-CCM", 0xC0A4), InlineData("PSK-AES128-GCM-SHA256", 0x00A8)]
    [InlineData("PSK-AES256-GCM-SHA384", 0x00A9), InlineData("PSK-CHACHA20-POLY1305", 0xCCAB), InlineData("ECDHE-PSK-CHACHA20-POLY1305", 0xCCAC)]
    public void Both_sides_agree_on_keys_with_and_without_connection_IDs(string cipher, int suite)
    {
        foreach (var usesIds in new[] { true, false })
        {
            using var cut = new HandshakePair(cipher, usesIds: usesIds);

            cut.Run();

            (cut.Client.Failure, cut.Server!.Failure).Should().Be((null, null));
            (cut.Client.IsDone, cut.Server.IsDone).Should().Be((true, true));
            cut.Suite!.Id.Should().Be((ushort)suite);
            cut.Exchange("to the server", toServer: true).Should().Be("to the server");
            cut.Exchange("to the client", toServer: false).Should().Be("to the client");
            cut.Server.Session!.Ids.Own.Length.Should().Be(usesIds ? 8 : 0);
            cut.Client.Session!.Ids.Own.Length.Should().Be(0);
            TimeSpan.FromTicks(cut.Now).TotalMilliseconds.Should().Be(120, "three round trips of 40 ms, with that for the cookie");
        }
    }

    [Fact, Trait("RFC", "6347 4.2.1")]
    public void A_server_answers_a_hello_without_a_cookie_with_fewer_bytes_and_keeps_nothing()
    {
        using var cut = new HandshakePair();

        cut.Run();

        var (first, second) = (cut.Sent[0], cut.Sent[1]);
        (first.ToServer, second.ToServer).Should().Be((true, false));
        second.Datagram.Length.Should().BeLessThan(first.Datagram.Length);
        second.Datagram[13].Should().Be((byte)HandshakeType.HelloVerifyRequest);
    }

    // The server repeats its flight once before it gives up. Otherwise, a single forged record would end a handshake.
    [Fact, Trait("RFC", "6347 4.1.2.7"), Trait("RFC", "4279 2"), Trait("RFC", "7925 6")]
    public void With_a_wrong_key_neither_side_is_done_and_both_end()
    {
        using var cut = new HandshakePair();
        cut.Keys["device-7"] = [9, 9, 9];

        cut.Run();

        (cut.Client.IsDone, cut.Server!.IsDone).Should().Be((false, false));
        cut.Server.HasRefusedKey.Should().BeTrue();
        cut.Client.PeerAlert.Should().Be(new Alert(IsFatal: true, AlertDescription.DecryptError));
        cut.Client.Failure.Should().Contain("DecryptError (51)");
        (cut.Client.Deadline, cut.Server.Deadline).Should().Be((long.MaxValue, long.MaxValue));
        TimeSpan.FromTicks(cut.Now).TotalSeconds.Should()
            .BeInRange(3, 8, "the timers of the flights are at 1 s and 3 s, and the client waits for its own");
    }

    [Theory, Trait("RFC", "4279 2"), Trait("RFC", "7925 6")]
    [InlineData("PSK-AES128-CCM8"), InlineData("PSK-AES256-GCM-SHA384"), InlineData("ECDHE-PSK-CHACHA20-POLY1305")]
    public void An_unknown_identity_cannot_be_told_from_a_wrong_key(string cipher)
    {
        using HandshakePair wrong = new(cipher), unknown = new(cipher);
        wrong.Keys["device-7"] = [9, 9, 9];
        unknown.Keys.Clear();

        wrong.Run();
        unknown.Run();

        RecordsOf(unknown).Should().Equal(RecordsOf(wrong)).And.HaveCountGreaterThan(6);
        (unknown.Now, unknown.Client.PeerAlert, unknown.Client.Failure).Should()
            .Be((wrong.Now, wrong.Client.PeerAlert, wrong.Client.Failure));
        (unknown.ServerSide!.HasUnknownIdentity, wrong.ServerSide!.HasUnknownIdentity).Should().Be((true, false));
    }

    [Fact, Trait("RFC", "6347 4.1.2.7")]
    public void Forged_records_of_the_new_epoch_end_no_handshake()
    {
        const int LastFlightOfClient = 3;
        using var cut = new HandshakePair { ForgesSealed = true };
        cut.LostToServer.Add(LastFlightOfClient);

        cut.Run();

        (cut.Client.Failure, cut.Server!.Failure).Should().Be((null, null));
        (cut.Client.IsDone, cut.Server.IsDone).Should().Be((true, true));
    }

    // Otherwise, an attacker who knows the ports could end every handshake.
    [Fact, Trait("RFC", "6347 4.1.2.7")]
    public void A_forged_alert_in_the_clear_ends_no_handshake()
    {
        using var cut = new HandshakePair { ForgesAlerts = true };

        cut.Run();

        (cut.Client.IsDone, cut.Server!.IsDone).Should().Be((true, true));
    }

    // A warning alone ends nothing. Each fatal alert does, whatever its number.
    [Theory, Trait("RFC", "7925 6"), InlineData(2, 70, "ProtocolVersion (70)"), InlineData(2, 71, "InsufficientSecurity (71)"), InlineData(2, 90, "UserCanceled (90)")]
    [InlineData(2, 199, "199"), InlineData(1, 90, null)]
    public void A_client_processes_the_alerts_of_servers_that_do_not_follow_the_profile(byte level, byte description, string? expected)
    {
        using var cipher = new OpenSslCipher();
        using var context = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
        using var side = new OpenSslHandshake(context, null) { PskIdentity = [65], PskKey = [1, 2, 3] };
        var cut = new HandshakeMachine(side, cipher, new HandshakeSettings(), isServer: false);
        cut.OnBegun();
        ServerEnd.Compute(cut, side.Begin, now: 0);
        Span<byte> datagram = [21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, level, description];
        DtlsRecord.TryRead(ref datagram, 0, out var record).Should().BeTrue();

        cut.OnRecord(record, now: 0);
        cut.OnDeadline(cut.Deadline);

        if (expected is null) { cut.Failure.Should().BeNull(); }
        else { cut.Failure.Should().StartWith("the peer ended it with the alert").And.Contain(expected); }
    }

    // It would be the Finished of nobody, and the handshake would end with an alert.
    [Fact, Trait("RFC", "5246 7.4.9")]
    public void A_Finished_in_the_clear_is_dropped()
    {
        using var cut = new HandshakePair { ForgesFinished = true };

        cut.Run();

        (cut.Client.Failure, cut.Server!.Failure).Should().Be((null, null));
        (cut.Client.IsDone, cut.Server.IsDone).Should().Be((true, true));
    }

    [Fact, Trait("RFC", "6347 4.2.4")]
    public void Lost_repeated_and_reordered_datagrams_delay_a_handshake_but_do_not_change_its_result()
    {
        var (done, failed) = (0, 0);
        for (var seed = 0; seed < 1000; seed++)
        {
            using var cut = new HandshakePair(seed: seed) { Faults = (0.2, 0.1, 0.1) };

            cut.Run();

            if (cut is { Client.IsDone: true, Server.IsDone: true })
            {
                done++;
                cut.Exchange("a", toServer: true).Should().Be("a", $"seed {seed}");
                cut.Exchange("b", toServer: false).Should().Be("b", $"seed {seed}");
            }
            else
            {
                failed++;
                (cut.Client.Failure ?? cut.Server?.Failure).Should().NotBeNull($"seed {seed}: an end that is not success has a reason");
            }
            (cut.Client.Deadline, cut.Server?.Deadline ?? long.MaxValue).Should().Be((long.MaxValue, long.MaxValue), $"seed {seed}: nothing is left to do");
        }
        (done + failed).Should().Be(1000);
        done.Should().BeGreaterThan(950);
    }

    // What an observer sees: the direction, the type, the epoch and the length of each record, and alerts in the clear.
    private static List<string> RecordsOf(HandshakePair pair)
    {
        var records = new List<string>();
        foreach (var (toServer, datagram) in pair.Sent)
        {
            var rest = ((byte[])datagram.Clone()).AsSpan();
            while (DtlsRecord.TryRead(ref rest, toServer ? 8 : 0, out var record))
            {
                var alert = record is { Type: ContentType.Alert, Number.Epoch: 0 } ? Convert.ToHexString(record.Body) : "";
                records.Add($"to the {(toServer ? "server" : "client")}: {record.Type} {record.Number} {record.Body.Length} {alert}");
            }
        }
        return records;
    }

    // No two records of one side have the same number, whatever is repeated (RFC 6347, section 4.1).
    [Fact, Trait("RFC", "6347 4.1")]
    public void No_record_number_is_used_twice()
    {
        for (var seed = 0; seed < 50; seed++)
        {
            using var cut = new HandshakePair(seed: seed) { Faults = (0.3, 0, 0) };
            cut.Run();
            foreach (var side in new[] { true, false })
            {
                var numbers = new HashSet<ulong>();
                foreach (var (_, datagram) in cut.Sent.Where(one => one.ToServer == side))
                {
                    var rest = datagram.AsSpan();
                    while (DtlsRecord.TryRead(ref rest, side ? 8 : 0, out var record))
                    {
                        // The answers without state have the numbers of the hellos.
                        var isStateless = record.RecordVersion == DtlsRecord.OldVersion;
                        (isStateless || numbers.Add(record.Number.Value)).Should().BeTrue($"seed {seed}: {record.Number}");
                    }
                }
            }
        }
    }
}
