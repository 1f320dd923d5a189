namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Observers whose notifications are bodies in Q-Block2. The body has three blocks.</summary>
public sealed class RobustObserveTests : IDisposable
{
    private readonly RobustServerUnderTest _cut = new(new CoapServerSettings { ServerObservations = new() { IsConfirmable = false } });
    private string _last = "";      // the name of the message that was expected last

    public void Dispose() => _cut.Dispose();

    // Client      Server
    //   +--------->| CON GET /state M:0x01 T:0xc0 O:0 QB2:0/1/16
    //   |<---------+ ACK 2.05 M:0x01 T:0xc0 O:1 QB2:0/1/16
    //   |<---------+ CON 2.05 T:0xc0 O:1 QB2:1/1/16
    //   +--------->| ACK
    //   |<---------+ CON 2.05 T:0xc0 O:1 QB2:2/0/16
    [Fact, Trait("RFC", "9177 4.5"), Trait("RFC", "9177 7")]
    public void All_blocks_of_a_confirmable_body_have_the_same_Observe_value()
    {
        Register("CON");
        _cut.State.NotifyChanged();

        Expect("CON", observe: 2, number: 0, "d");
        _cut.Client.ExpectNothing(seconds: 0.5);
        for (var number = 1; number < 3; number++)
        {
            Acknowledge("d");
            Expect("CON", observe: 2, number, "d");
        }
        Acknowledge("d");
        _cut.Client.ExpectNothing(seconds: 600);
        _cut.State.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "9177 7")]
    public void All_blocks_of_a_body_are_confirmable_or_none()
    {
        Register("NON");
        _cut.State.NotifyChanged();
        for (var number = 0; number < 3; number++)
        {
            Expect("CON", observe: 2, number, "d");
            Acknowledge("d");
        }
        _cut.Client.ExpectNothing(seconds: 10);

        _cut.State.NotifyChanged();

        for (var number = 0; number < 3; number++) { Expect("NON", observe: 3, number, $"e{number}"); }
        _cut.Client.ExpectNothing(seconds: 1);
    }

    [Fact, Trait("RFC", "9177 4.5")]
    public void A_newer_state_takes_the_place_of_a_body_whose_first_block_is_not_acknowledged()
    {
        Register("CON");
        _cut.State.NotifyChanged();
        Expect("CON", observe: 2, number: 0, "d");
        _cut.Large = "Another one.....The second block.The end";
        _cut.State.NotifyChanged();

        _cut.Client.Expect("CON [f] 2.05 Content (Token 0xc0) {ETag: 0x13, Observe: 3, Content-Format: 0, 28: 0x28, 31: 0x08} 'Another one.....'");
        Acknowledge("f");
        Expect("CON", observe: 3, number: 1, "g");
        Acknowledge("g");
        Expect("CON", observe: 3, number: 2, "h");
    }

    [Theory, Trait("RFC", "9177 4.5"), Trait("RFC", "7641 4.1")]
    [InlineData("31: 0x10"), InlineData("31: 0x00, 31: 0x20")]
    public void A_request_for_missing_blocks_does_not_register_an_observer(string asked)
    {
        _cut.Client.Send($"NON [0x01] GET /state (Token 0xc0) {{Observe: 0, {asked}}}");
        _cut.Client.TakeAll(seconds: 1);

        _cut.Client.Received.Should().NotBeEmpty()
            .And.OnlyContain(bytes => WireMessage.Read(bytes).Options.All(option => option.Number != 6));
        _cut.State.ObserverCount.Should().Be(0);
        _cut.State.NotifyChanged();
        _cut.Client.ExpectNothing(seconds: 100);
    }

    [Fact, Trait("RFC", "9177 4.5")]
    public void A_missing_block_of_a_notification_comes_without_Observe()
    {
        Register("NON");

        _cut.Client.Send("NON [0x02] GET /state (Token 0xc1) {31: 0x10}");

        _cut.Client.Expect("NON [m] 2.05 Content (Token 0xc1) {ETag: 0x13, Content-Format: 0, 28: 0x28, 31: 0x18} 'The second block'");
        _cut.State.ObserverCount.Should().Be(1);
    }

    private void Register(string type)
    {
        _cut.Client.Send($"{type} [0x01] GET /state (Token 0xc0) {{Observe: 0, 31: 0x08}}");
        if (type == "NON")
        {
            for (var number = 0; number < 3; number++) { Expect("NON", observe: 1, number, $"a{number}"); }
            return;
        }
        _cut.Client.Expect("ACK [0x0001] 2.05 Content (Token 0xc0) {ETag: 0x13, Observe: 1, Content-Format: 0, 28: 0x28, 31: 0x08} 'The first block.'");
        for (var number = 1; number < 3; number++)
        {
            Expect("CON", observe: 1, number, $"a{number}");
            Acknowledge($"a{number}");
        }
    }

    private void Expect(string type, int observe, int number, string id)
    {
        var text = number switch { 0 => "The first block.", 1 => "The second block", _ => ".The end" };
        _cut.Client.Expect(
            $"{type} [{id}{number}] 2.05 Content (Token 0xc0) {{ETag: 0x13, Observe: {observe}, Content-Format: 0, 28: 0x28, 31: 0x{number}{(number == 2 ? 0 : 8)}}} '{text}'");
        _last = $"{id}{number}";
    }

    private void Acknowledge(string id) => _cut.Client.Send($"ACK [{(_last.StartsWith(id, StringComparison.Ordinal) ? _last : id)}]");
}
