using System.Net;
using System.Runtime.CompilerServices;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>How long handshakes live, what they hold meanwhile, and how they end, in simulated time.</summary>
public sealed class HandshakeLifeTests
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    [Fact]
    public void A_hello_whose_rest_never_comes_gives_its_place_back_after_the_time_of_a_handshake()
    {
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key), MaxConcurrentHandshakes = 1, HandshakeTimeout = TimeSpan.FromSeconds(3) });
        using var cut = new ScriptedClient(wire) { MaxDatagram = 120 };
        using var honest = Client(wire, Key);
        BeginHello(cut, wire);

        Ask(honest, wire, TimeSpan.FromSeconds(1.5)).IsCompleted.Should().BeFalse("there is no second place");
        wire.RunFor(TimeSpan.FromSeconds(1));

        Ask(honest, wire, TimeSpan.FromSeconds(10)).IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact]
    public void When_all_places_are_taken_a_client_that_has_been_silent_for_four_seconds_loses_its_place()
    {
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key), MaxConcurrentHandshakes = 1 });
        using var cut = new ScriptedClient(wire) { MaxDatagram = 120 };
        using var honest = Client(wire, Key);
        BeginHello(cut, wire);

        Ask(honest, wire, TimeSpan.FromSeconds(2.5)).IsCompleted.Should().BeFalse("the client may still answer");
        wire.RunFor(TimeSpan.FromSeconds(1));

        Ask(honest, wire, TimeSpan.FromSeconds(20)).IsCompletedSuccessfully.Should().BeTrue();
    }

    // One client behind a NAT must not be able to lock out the others there.
    [Fact]
    public void An_account_at_its_limit_replaces_its_own_handshake_that_has_been_silent_for_the_longest_time()
    {
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key), MaxConcurrentHandshakes = 4 });
        ScriptedClient[] clients = [.. Enumerable.Range(1, 4).Select(port => new ScriptedClient(wire, IPEndPoint.Parse($"10.0.0.1:{port}")))];
        using var other = new ScriptedClient(wire, IPEndPoint.Parse("10.0.0.2:1"));
        foreach (var client in clients.Take(2).Append(other)) { ShakeHands(client, wire, flights: 2); }     // up to the first flight of the server
        ShakeHands(clients[2], wire, flights: 4);
        clients[2].Machine.IsDone.Should().BeFalse("the others may be about to answer");
        wire.RunFor(TimeSpan.FromSeconds(4));

        foreach (var client in clients.Skip(2)) { ShakeHands(client, wire, flights: 4); }
        foreach (var client in clients.Take(2).Append(other)) { Continue(client, wire, flights: 2); }

        clients.Select(static client => client.Machine.IsDone).Should().Equal(false, true, true, true);
        other.Machine.IsDone.Should().BeTrue("another account is not affected");
        foreach (var client in clients) { client.Dispose(); }
    }

    // Otherwise the calls of the store, or the queue of the workers, would have no bound.
    [Fact]
    public void A_handshake_that_was_begun_anew_holds_its_place_until_the_key_store_has_returned()
    {
        var wire = new Wire(new ManualClock());
        var calls = new List<TaskCompletionSource<byte[]?>>();
        var store = PskStore.From((_, _) =>
        {
            calls.Add(new TaskCompletionSource<byte[]?>());
            return new ValueTask<byte[]?>(calls[^1].Task);
        });
        using var server = Server(wire, new() { PreSharedKeys = store, MaxConcurrentHandshakes = 8 });
        using var cut = new ScriptedClient(wire);

        for (var i = 0; i < 20; i++) { ShakeHands(cut, wire, flights: 3); }

        calls.Should().HaveCount(4, "an account may have half of the places");
        foreach (var call in calls) { NoContext.Run(() => call.TrySetResult(null)); }
        ShakeHands(cut, wire, flights: 3);
        calls.Should().HaveCount(5);
    }

    [Fact]
    public async Task The_token_of_the_key_store_is_canceled_at_the_end_and_a_callback_that_fails_changes_nothing()
    {
        var wire = new Wire(new ManualClock());
        var (isCanceled, answer) = (new TaskCompletionSource(), new TaskCompletionSource<byte[]?>());
        var store = PskStore.From((_, token) =>
        {
            token.Register(() =>
            {
                isCanceled.TrySetResult();
                throw new InvalidOperationException("the callback fails");
            });
            return new ValueTask<byte[]?>(answer.Task);
        });
        using var server = Server(wire, new() { PreSharedKeys = store });
        using var cut = new ScriptedClient(wire);
        ShakeHands(cut, wire, flights: 3);

        wire.RunFor(TimeSpan.FromSeconds(61));
        await isCanceled.Task.WaitAsync(TimeSpan.FromMinutes(1));
        answer.SetResult([.. "a key of 16 bytes"u8]);
        wire.RunFor(TimeSpan.FromSeconds(61));
        cut.Receive();

        cut.Machine.IsDone.Should().BeFalse();
    }

    [Theory, Trait("RFC", "4279 5.1"), InlineData("FF"), InlineData("C328"), InlineData("long")]
    public void An_identity_that_is_too_long_is_unknown_and_one_that_is_not_text_is_so_to_a_store_of_texts(string kind)
    {
        var identity = kind == "long" ? [.. Enumerable.Repeat((byte)'a', 129)] : Convert.FromHexString(kind);
        var wire = new Wire(new ManualClock());
        var asked = new List<string>();
        using var server = Server(wire, new()
        {
            MaxPreSharedKeyIdentity = 128,
            PreSharedKeys = PskStore.From(name =>
            {
                asked.Add(name);
                return "a key of 16 bytes"u8.ToArray();
            }),
        });
        using var cut = new ScriptedClient(wire) { Identity = identity };

        ShakeHands(cut, wire, flights: 3);
        cut.Received[^1][0].Should().NotBe((byte)ContentType.Alert, "a wrong key has no answer so soon, either");
        wire.RunFor(TimeSpan.FromSeconds(4));
        cut.Receive();

        asked.Should().BeEmpty();
        cut.Machine.IsDone.Should().BeFalse();
        cut.Received[^1][0].Should().Be((byte)ContentType.Alert);
        cut.Received[^1][^1].Should().Be((byte)AlertDescription.DecryptError);
    }

    // Each cookie that has expired or was damaged on the way makes the number of the next hello higher.
    [Fact, Trait("RFC", "6347 4.2.1")]
    public void A_hello_with_a_valid_cookie_is_answered_even_after_many_without_one()
    {
        const byte Sequence = 9, ServerHello = 2;
        const int TypeAt = 13, SequenceAt = TypeAt + 5;
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key) });
        using var cut = new ScriptedClient(wire);
        var later = HelloWithCookie(cut, wire);
        later[SequenceAt] = Sequence;

        cut.Send(later);
        wire.RunFor(TimeSpan.FromMilliseconds(10));

        var answer = wire.Sent(Direction.ToClient)[^1].Bytes;
        (answer[TypeAt], answer[SequenceAt]).Should().Be((ServerHello, Sequence));
    }

    // The server has kept nothing that it could count.
    [Fact, Trait("RFC", "6347 4.2.1")]
    public void The_record_of_a_ServerHello_has_the_number_of_the_hello()
    {
        const byte Number = 77, ServerHello = 2;
        const int NumberAt = 10, TypeAt = 13;
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key) });
        using var cut = new ScriptedClient(wire);
        var later = HelloWithCookie(cut, wire);
        later[NumberAt] = Number;

        cut.Send(later);
        wire.RunFor(TimeSpan.FromSeconds(1.5));

        var answers = wire.Sent(Direction.ToClient).Select(static one => one.Bytes).Where(static bytes => bytes[TypeAt] == ServerHello).ToArray();
        answers.Should().HaveCount(2, "it is repeated after a second");
        answers[0][NumberAt].Should().Be(Number);
        answers[1][NumberAt].Should().BeGreaterThan(Number);
    }

    // In a handshake that resumes a session, the server has sent its own Finished by then.
    [Theory, Trait("RFC", "6347 4.2.4"), InlineData(false), InlineData(true)]
    public void Data_before_the_Finished_is_dropped(bool isResumed)
    {
        var wire = new Wire(new ManualClock());
        var calls = 0;
        using var server = LaneEnd.Server(
            wire,
            map => map.At("who").Get((_, _) =>
            {
                calls++;
                return new(Response.Content("on"));
            }),
            new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), ComputesOnLane = true } });
        using var earlier = new ScriptedClient(wire, "earlier");
        ShakeHands(earlier, wire, flights: 4);
        using var cut = new ScriptedClient(wire) { MaxDatagram = isResumed ? 1200 : 80, Earlier = isResumed ? earlier.Resumable : null };
        using var cipher = new OpenSslCipher();
        ShakeHands(cut, wire, flights: 2);
        var flight = new List<byte[]>();
        while (cut.Machine.TryNextDatagram(out var datagram)) { flight.Add(datagram.ToArray()); }
        cut.IsResumed.Should().Be(isResumed);
        flight.Should().HaveCountGreaterThan(isResumed ? 0 : 1, "the last datagram has only the Finished");
        foreach (var datagram in flight.SkipLast(1)) { cut.Send(datagram); }

        cut.Send(Request(1));       // before the keys are computed
        wire.RunFor(TimeSpan.FromMilliseconds(10));
        cut.Send(Request(2));
        wire.RunFor(TimeSpan.FromMilliseconds(10));
        var before = calls;
        cut.Send(flight[^1]);
        wire.RunFor(TimeSpan.FromMilliseconds(10));
        cut.Send(Request(3));
        wire.RunFor(TimeSpan.FromMilliseconds(10));

        (before, calls).Should().Be((0, 1));

        byte[] Request(int id)
        {
            var message = Scripts.ScriptedDevice.Message($"CON [0x{id:x4}] GET /who (Token 0x71)");
            var record = new byte[cut.Machine.Session!.LengthOf(message.Length)];
            cut.Machine.Session.Seal(cipher, ContentType.ApplicationData, message, record);
            return record;
        }
    }

    // Otherwise, the server would wait for it in vain.
    [Fact, Trait("RFC", "6347 4.2.4")]
    public void A_client_that_has_resumed_repeats_its_last_flight()
    {
        const int FlightsBefore = 2;        // two hellos
        var wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key) });
        using var client = Client(wire, Key, sessionTimeout: TimeSpan.FromSeconds(5));
        Ask(client, wire, TimeSpan.FromSeconds(10)).IsCompletedSuccessfully.Should().BeTrue();
        var sent = wire.Sent(Direction.ToServer).Count;
        wire.Drop(Direction.ToServer, sent + FlightsBefore + 1);

        var answer = Ask(client, wire, TimeSpan.FromSeconds(4));

        var datagrams = wire.Sent(Direction.ToServer).Skip(sent).Select(static one => one.Bytes[0]).ToArray();
        datagrams[..3].Should().Equal((byte)ContentType.Handshake, (byte)ContentType.Handshake, (byte)ContentType.ChangeCipherSpec);
        datagrams.Count(static type => type == (byte)ContentType.ChangeCipherSpec).Should().Be(2);
        answer.IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact, Trait("RFC", "6347 4.1")]
    public void A_session_whose_numbers_are_used_up_is_replaced()
    {
        var wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key) });
        using var client = Client(wire, Key);
        Ask(client, wire, TimeSpan.FromSeconds(1)).IsCompletedSuccessfully.Should().BeTrue();
        var session = LanesOf((DtlsLayer)client.Security!)[0].Peers.Oldest!.Session;
        var sent = wire.Sent(Direction.ToServer).Count;

        SentOf(session) = RecordNumber.MaxCounter;
        var last = Ask(client, wire, TimeSpan.FromSeconds(1));
        var next = Ask(client, wire, TimeSpan.FromSeconds(1));

        (last.IsCompletedSuccessfully, next.IsCompletedSuccessfully, session.IsExhausted).Should().Be((true, true, true));
        wire.Sent(Direction.ToServer).Skip(sent).Select(static one => one.Bytes[0] == (byte)ContentType.Handshake).Take(2).Should().Equal(false, true);
        FluentActions.Invoking(() => session.Seal(new PlatformCipher(), ContentType.ApplicationData, [1], new byte[100])).Should().Throw<InvalidOperationException>();
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_sent")]
    private static extern ref long SentOf(DtlsSession session);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_lanes")]
    private static extern ref List<DtlsLane> LanesOf(DtlsLayer layer);

    [Fact]
    public void An_identity_with_a_zero_is_no_text()
    {
        KeyIdentity.TryRead("admin\0x"u8, out _).Should().BeFalse();
        KeyIdentity.TryRead("Bücher"u8, out var identity).Should().BeTrue();
        identity.Should().Be("Bücher");
    }

    [Fact, Trait("RFC", "6347 4.2.4.1")]
    public void A_wrong_key_is_named_with_the_default_times()
    {
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key) });
        using var cut = Client(wire, new PreSharedKey("device-7", "another key"u8));

        var answer = Ask(cut, wire, TimeSpan.FromMinutes(5));

        answer.Exception!.InnerException.Should().BeOfType<CoapSecurityException>().Which.Failure.Should().Be(TlsFailure.Key);
        answer.Exception.InnerException!.Message.Should().Contain("another key for this identity");
    }

    [Fact, Trait("RFC", "6347 4.2.4.1")]
    public void A_silent_server_is_an_error_of_the_network_with_the_default_times()
    {
        var wire = new Wire(new ManualClock()) { Loss = 1 };
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key) });
        using var cut = Client(wire, Key);

        var answer = Ask(cut, wire, TimeSpan.FromMinutes(5));

        answer.Exception!.InnerException.Should().BeOfType<CoapTransportException>().Which.Message.Should().Contain("HandshakeTimeout").And.Contain("Nothing has arrived from there. Check the port (5684");
    }

    [Theory, InlineData(true), InlineData(false)]
    public void A_call_that_ends_before_its_handshake_says_so(bool hasTimeout)
    {
        var wire = new Wire(new ManualClock()) { Loss = 1 };
        using var cut = Client(wire, Key);
        var request = new CoapRequest(RequestCode.Get, "coaps://server/")
        {
            Timeout = hasTimeout ? TimeSpan.FromSeconds(2) : null,
            Transmission = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromSeconds(2), MaxRetransmit = 0 },
        };

        var answer = cut.Send(request, PeerNames.OfServer(wire.Server, "server"));
        wire.RunUntilIdle(TimeSpan.FromMinutes(5));

        var error = answer.Exception!.InnerException.Should().BeOfType<CoapTimeoutException>().Which;
        error.AwaitedEvent.Should().Be(AwaitedEvent.Handshake);
        error.Message.Should().Contain(hasTimeout ? "waiting for the end of the DTLS handshake" : "the DTLS handshake with");
    }

    // The client has its Finished already. Without an alert it would wait for answers.
    [Fact]
    public void A_client_without_room_for_its_session_gets_an_alert()
    {
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key, new PreSharedKey("device-8", [1, 2, 3])), MaxSessions = 1 });
        using var first = Client(wire, Key, "first");
        using var cut = new ScriptedClient(wire) { Identity = Encoding.UTF8.GetBytes("device-8"), Key = [1, 2, 3] };
        Ask(first, wire, TimeSpan.FromSeconds(10)).IsCompletedSuccessfully.Should().BeTrue();

        ShakeHands(cut, wire, flights: 4);

        cut.Machine.IsDone.Should().BeTrue();
        cut.Received[^1][0].Should().Be((byte)ContentType.Alert);
    }

    [Fact, Trait("RFC", "5246 7.2.1")]
    public void A_session_that_ends_after_its_time_is_closed_with_close_notify()
    {
        var wire = new Wire(new ManualClock());
        using var server = Server(wire, new() { PreSharedKeys = PskStore.From(Key), SessionTimeout = TimeSpan.FromHours(1) });
        using var client = Client(wire, Key);
        Ask(client, wire, TimeSpan.FromSeconds(10)).IsCompletedSuccessfully.Should().BeTrue();

        wire.RunFor(TimeSpan.FromHours(2));

        wire.Sent(Direction.ToClient)[^1].Bytes[0].Should().Be((byte)ContentType.Alert);
    }

    // Sends only the fragment of the hello that has the cookie.
    private static void BeginHello(ScriptedClient client, Wire wire)
    {
        client.Begin();
        client.Send();
        wire.RunFor(TimeSpan.FromSeconds(1));
        client.Receive();
        client.Send(most: 1);
        wire.RunFor(TimeSpan.FromSeconds(1));
    }

    private static LaneEnd Server(Wire wire, DtlsServerSettings settings) => LaneEnd.Server(
        wire,
        static map => map.At("who").Get(static (request, _) => new(Response.Content(request.Credentials!.PreSharedKeyIdentity!))),
        new CoapServerSettings { Dtls = settings with { ComputesOnLane = true } });

    private static LaneEnd Client(Wire wire, PreSharedKey key, string name = "client", TimeSpan? sessionTimeout = null)
    {
        var settings = new DtlsClientSettings { PreSharedKey = key, ComputesOnLane = true };
        return LaneEnd.Client(wire, new CoapClientSettings { Dtls = settings with { SessionTimeout = sessionTimeout ?? settings.SessionTimeout } }, name);
    }

    private static Task<CoapResponse> Ask(LaneEnd client, Wire wire, TimeSpan time)
    {
        var answer = client.Send(new CoapRequest(RequestCode.Get, "/who"), PeerNames.OfServer(wire.Server, "server"));
        wire.RunFor(time);
        return answer;
    }

    // The second hello, which the client has not sent yet.
    private static byte[] HelloWithCookie(ScriptedClient client, Wire wire)
    {
        ShakeHands(client, wire, flights: 1);
        client.Machine.TryNextDatagram(out var hello).Should().BeTrue();
        return hello.ToArray();
    }

    private static void ShakeHands(ScriptedClient client, Wire wire, int flights)
    {
        client.Begin();
        Continue(client, wire, flights);
    }

    private static void Continue(ScriptedClient client, Wire wire, int flights)
    {
        for (var i = 0; i < flights; i++)
        {
            client.Send();
            wire.RunFor(TimeSpan.FromMilliseconds(10));
            client.Receive();
        }
    }
}
