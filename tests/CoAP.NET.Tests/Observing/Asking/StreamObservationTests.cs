using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>A client that observes over a connection, against a server whose bytes the test writes (RFC 8323, section 7).</summary>
public sealed class StreamObservationTests : IAsyncDisposable
{
    private const string Uri = "coap+tcp://raw-server/hi";
    private const string Register = "6869";     // nothing behind the path
    private const string Empty = "60";          // Observe without a value

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly RawServer _server;
    private readonly CoapClient _client;

    public StreamObservationTests()
    {
        _server = new RawServer(_network);
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time, ClientObservations = new() { MaxQueuedNotifications = 8 } });
    }

    public async ValueTask DisposeAsync()
    {
        await _time.PassAsync(_client.DisposeAsync().AsTask());
        _server.Dispose();
    }

    [Fact]
    [Trait("RFC", "8323 7.1"), Trait("RFC", "8323 7.4")]
    public async Task Numbers_are_ignored_and_leaving_deregisters()
    {
        var reading = _client.ObserveAsync(Uri).GetAsyncEnumerator();
        var first = reading.MoveNextAsync().AsTask();
        using var peer = await _server.OpenAsync();
        var request = (await peer.ReadAsync())!;

        peer.Send(Notify(request, "6109", "31") + Notify(request, "6103", "32") + Notify(request, Empty, "33"));

        (await Ended(first)).Should().BeTrue();
        reading.Current.Response.PayloadText.Should().Be("1");
        foreach (var next in new[] { "2", "3" })
        {
            (await Ended(reading.MoveNextAsync().AsTask())).Should().BeTrue();
            reading.Current.Response.PayloadText.Should().Be(next);
        }
        await reading.DisposeAsync();
        var last = await peer.ReadAsync();
        request.Should().EndWith("30" + "52" + Register, "Observe is empty: 0, register");
        last.Should().EndWith("3101" + "52" + Register, "Observe is 1, deregister").And.Contain(TokenOf(request));
    }

    [Fact]
    [Trait("RFC", "8323 7.4")]
    public async Task A_new_connection_gets_the_registration_with_the_same_token()
    {
        var observation = _client.ObserveAsync(Uri);
        await using var reading = observation.GetAsyncEnumerator();
        var (peer, request) = await OpenObservedAsync(reading);

        var isRegisteringAgain = Reaches(observation, ObservationState.ReRegistering);
        peer.Dispose();
        await isRegisteringAgain.WaitAsync(RawPeer.Patience);
        var next = reading.MoveNextAsync().AsTask();
        using var second = await _time.PassAsync(_server.OpenAsync());
        var again = (await _time.PassAsync(second.ReadAsync()))!;
        second.Send(Notify(again, Empty, "32"));

        (await Ended(next)).Should().BeTrue();
        reading.Current.Response.PayloadText.Should().Be("2");
        TokenOf(again).Should().Be(TokenOf(request));
        (observation.State, observation.LastError).Should().Match<(ObservationState State, Exception? Error)>(
            found => found.State == ObservationState.Active && found.Error is CoapTransportException);
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public async Task A_connection_that_the_peer_releases_is_left_for_a_new_one()
    {
        await using var reading = _client.ObserveAsync(Uri).GetAsyncEnumerator();
        var (peer, _) = await OpenObservedAsync(reading);

        peer.Send("00 e4");
        (await peer.ReadAsync()).Should().BeNull("nothing holds the released connection");
        peer.Dispose();
        using var second = await _time.PassAsync(_server.OpenAsync());

        (await _time.PassAsync(second.ReadAsync())).Should().EndWith("30" + "52" + Register);
    }

    [Fact]
    [Trait("RFC", "8323 7.3")]
    public async Task After_Max_Age_the_connection_is_asked_by_a_Ping_and_left_where_nobody_answers()
    {
        await using var reading = _client.ObserveAsync(Uri).GetAsyncEnumerator();
        var (peer, _) = await OpenObservedAsync(reading);

        var ping = await _time.PassAsync(peer.ReadAsync());
        _time.Elapsed.Should().BeGreaterOrEqualTo(TimeSpan.FromSeconds(65));
        (await _time.PassAsync(peer.ReadAsync())).Should().BeNull("the Ping got no answer");
        peer.Dispose();
        using var second = await _time.PassAsync(_server.OpenAsync());

        ping![2..4].Should().Be("e2");
        (await _time.PassAsync(second.ReadAsync())).Should().EndWith("30" + "52" + Register);
    }

    [Fact]
    [Trait("RFC", "8323 3")]
    public async Task An_observation_holds_a_connection_that_is_idle_otherwise()
    {
        await using var reading = _client.ObserveAsync(Uri).GetAsyncEnumerator();
        var (peer, request) = await OpenObservedAsync(reading, "6101 822710");       // Max-Age 10,000

        _time.Advance(TimeSpan.FromMinutes(30));
        peer.Send(Notify(request, Empty, "32"));

        (await Ended(reading.MoveNextAsync().AsTask())).Should().BeTrue();
        reading.Current.Response.PayloadText.Should().Be("2");
    }

    [Fact]
    public async Task The_end_of_the_client_ends_the_reading()
    {
        var observation = _client.ObserveAsync(Uri);
        await using var reading = observation.GetAsyncEnumerator();
        var (peer, _) = await OpenObservedAsync(reading);
        var next = reading.MoveNextAsync().AsTask();

        await _time.PassAsync(_client.DisposeAsync().AsTask());

        var ended = () => Ended(next);
        await ended.Should().ThrowAsync<CoapTransportException>().WithMessage("The client was disposed*");
        observation.EndReason.Should().Be(ObservationEnd.Failed);
        peer.Dispose();
    }

    [Fact]
    public async Task A_reader_whose_token_fires_leaves_and_deregisters()
    {
        using var cancel = new CancellationTokenSource();
        await using var reading = _client.ObserveAsync(Uri, cancel.Token).GetAsyncEnumerator();
        var (peer, _) = await OpenObservedAsync(reading);
        var next = reading.MoveNextAsync().AsTask();

        await cancel.CancelAsync();

        var ended = () => Ended(next);
        await ended.Should().ThrowAsync<OperationCanceledException>();
        (await peer.ReadAsync()).Should().EndWith("3101" + "52" + Register);
        peer.Dispose();
    }

    [Fact]
    public async Task A_refused_first_connection_fails_the_reader_with_the_reason()
    {
        var reading = _client.ObserveAsync("coap+tcp://nobody/").GetAsyncEnumerator();

        var starting = () => Ended(reading.MoveNextAsync().AsTask());

        await starting.Should().ThrowAsync<CoapTransportException>();
    }

    private static Task<T> Ended<T>(Task<T> task) => task.WaitAsync(RawPeer.Patience);

    // A response with up to twelve bytes behind the token of the request.
    private static string Notify(string request, string options, string payload) =>
        $"{(options.Replace(" ", "").Length + payload.Length + 2) / 2:x}8 45 {TokenOf(request)} {options} ff {payload}\n";

    private static string TokenOf(string request) => request.Substring(request[0] == 'd' ? 6 : 4, 16);

    private async Task<(RawPeer Peer, string Request)> OpenObservedAsync(IAsyncEnumerator<Notification> reading, string options = Empty)
    {
        var first = reading.MoveNextAsync().AsTask();
        var peer = await _server.OpenAsync();
        var request = (await peer.ReadAsync())!;
        peer.Send(Notify(request, options, "31"));
        (await Ended(first)).Should().BeTrue();
        return (peer, request);
    }

    private static Task Reaches(CoapObservation observation, ObservationState state)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        observation.StateChanged += (_, _) =>
        {
            if (observation.State == state) { reached.TrySetResult(); }
        };
        return reached.Task;
    }
}
