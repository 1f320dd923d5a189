using CoAP.Tests.Conformance.Rfc9177;

namespace CoAP.Tests.Hostile;

/// <summary>Small datagrams from an address that may be forged, each of which wants many large ones sent there.</summary>
public sealed class ReflectionTests : IDisposable
{
    private readonly RobustServerUnderTest _cut = new(new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } })
    {
        Large = new string('x', 16 * 100),
    };

    public void Dispose() => _cut.Dispose();

    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData("NON [0x01] GET /large (Token 0xc0) {31: 0x18}")]
    [InlineData("NON [0x01] GET /large (Token 0xc0) {31: 0xa8}")]
    [InlineData("CON [0x01] GET /large (Token 0xc0) {31: 0x18}")]
    [InlineData("NON [0x01] GET /large (Token 0xc0) {31: 0x10, 31: 0x20, 31: 0x30, 31: 0x40, 31: 0x50}")]
    [InlineData("NON [0x01] GET /large (Token 0xc0) {31: 0x08}|NON [0x02] GET /large (Token 0xc0) {31: 0x10, 31: 0x20, 31: 0x30, 31: 0x40, 31: 0x50}")]
    [InlineData("NON [0x01] GET /large (Token 0xc0) {31: 0x08}|NON [0x02] GET /large (Token 0xc0) {31: 0x58}")]
    public void A_question_for_blocks_brings_one_message_to_an_address_that_may_be_forged(string script)
    {
        var requests = script.Split('|');

        foreach (var request in requests)
        {
            _cut.Client.Send(request);
            _cut.Client.TakeAll(seconds: 300);
        }

        _cut.Client.Received.Should().HaveCount(requests.Length);
    }

    [Theory, Trait("RFC", "9177 4.4")]
    [InlineData("NON [0x01] GET /large (Token 0xc0) {31: 0x0c88}"), InlineData("NON [0x02] GET /large (Token 0xc0) {31: 0x0c80}")]
    [InlineData("NON [0x03] GET /large (Token 0xc0) {31: 0x14}")]
    public void A_question_for_a_block_that_is_not_there_is_answered_and_forgotten(string request)
    {
        _cut.Client.Send(request);

        _cut.Client.Expect("NON [X] 4.00 (Token 0xc0) '*'");
        _cut.Server.Lane.DeadlineCount.Should().Be(0);
    }
}
