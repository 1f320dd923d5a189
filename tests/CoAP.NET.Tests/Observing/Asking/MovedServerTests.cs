using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

public sealed class MovedServerTests : IAsyncDisposable
{
    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network;
    private readonly CoapClient _client;
    private volatile string _place = "first";

    public MovedServerTests()
    {
        _network = new InMemoryNetwork(_time);
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time, LaneForm = LaneForm.ThreadPool, NamesOnNetwork = _ => _place });
    }

    public async ValueTask DisposeAsync() => await _time.PassAsync(_client.DisposeAsync().AsTask());

    // Client       first       second
    //    | GET Observe: 0         |
    //    +----------->|           |
    //    |<-----------+ 2.05      |
    //    |     (gone) X           |    the name points to the second one from now on
    //    | GET Observe: 0, after Max-Age, four times more
    //    +----------->            |
    //    | GET Observe: 0, same token, after the back-off
    //    +----------------------->|
    [Fact]
    public async Task A_server_that_has_another_address_by_now_gets_the_registration_with_the_same_token()
    {
        using var second = new ObservedThing(_network, "second");
        var observation = _client.ObserveAsync("coap://thing/temperature");
        await using var reading = observation.GetAsyncEnumerator();
        Token token;
        using (var first = new ObservedThing(_network, "first"))
        {
            (await reading.MoveNextAsync()).Should().BeTrue();
            token = first.Token;
        }

        _place = "second";
        var next = reading.MoveNextAsync().AsTask();
        await _time.PassAsync(next);

        (await next).Should().BeTrue();
        second.Token.Should().Be(token);
        reading.Current.Response.Remote.Should().Be(PeerIdentity.From("second"));
        (observation.State, observation.LastError).Should().Match<(ObservationState State, Exception? Error)>(
            found => found.State == ObservationState.Active && found.Error is CoapException);
    }
}
