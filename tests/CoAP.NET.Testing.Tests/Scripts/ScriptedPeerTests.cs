using CoAP.Testing.Tests.Networks;

namespace CoAP.Testing.Tests.Scripts;

public class ScriptedPeerTests
{
    [Fact]
    public async Task A_scripted_client_gets_the_answer_of_a_server()
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");

        peer.Send("CON [MID=0x7d34] GET /hello (Token 0x20)");

        peer.Expect("ACK [0x7d34] 2.05 Content (Token 0x20) {Content-Format: 0} 'Hello!'");
    }

    [Fact]
    public async Task A_scripted_server_answers_a_client()
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "sensor");
        var call = home.Client.GetAsync("coap://sensor/temperature").AsTask();

        peer.Expect("CON [M] GET /temperature (Token T) {Uri-Host: sensor}");
        peer.Send("ACK [M]");
        peer.Send("CON [0x0001] 2.05 Content (Token T) '22.5 C'");
        peer.Expect("ACK [0x0001]");

        home.World.Run(call).PayloadText.Should().Be("22.5 C");
    }

    [Fact]
    public async Task Another_message_than_expected_fails_with_both_and_the_transcript()
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");
        peer.Send("CON [0x7d34] GET /nothing (Token 0x20)");

        var expect = () => peer.Expect("ACK [0x7d34] 2.05 Content (Token 0x20)");

        expect.Should().Throw<ScriptException>().Which.Message.Should()
            .Contain("expected ACK [0x7d34] 2.05 (Token 0x20)").And.Contain("received ACK [0x7d34] 4.04").And.Contain("peer -> device: CON [0x7d34] GET /nothing");
    }

    [Fact]
    public async Task A_message_at_another_time_than_expected_fails_with_both_times()
    {
        await using var home = new Home();
        home.World.Latency = TimeSpan.FromSeconds(1);
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");

        peer.Send("CON [0x0001] GET /hello (Token 0x20)");
        peer.Expect("ACK [0x0001] 2.05 Content (Token 0x20) {Content-Format: 0} '*'", at: TimeSpan.FromSeconds(2));
        peer.Send("CON [0x0002] GET /hello (Token 0x21)");
        var expect = () => peer.Expect("ACK [0x0002] 2.05 Content (Token 0x21) {Content-Format: 0} '*'", at: TimeSpan.FromSeconds(3));

        expect.Should().Throw<ScriptException>().Which.Message.Should().Contain("at 3 s\nbut received it at 4 s");
    }

    [Fact]
    public async Task All_datagrams_of_a_time_are_taken_at_once()
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");
        peer.Send("CON [0x0001] GET /nothing (Token 0x20)");
        peer.Send("CON [0x0002] GET /nothing (Token 0x21)");

        var taken = peer.TakeAll(TimeSpan.FromSeconds(1));

        taken.Select(static datagram => Convert.ToHexStringLower(datagram.Span)).Should().Equal("6184000120", "6184000221");
        peer.TakeAll(TimeSpan.FromSeconds(1)).Should().BeEmpty();
    }

    [Fact]
    public async Task Bytes_that_are_no_message_are_ignored_or_reset()
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");

        peer.SendBytes([0x40]);
        peer.ExpectNothing(TimeSpan.FromSeconds(1));
        peer.SendBytes(Convert.FromHexString("49017d34"));      // token length 9, cut off

        peer.ExpectBytes(Convert.FromHexString("70007d34"));
    }
}
