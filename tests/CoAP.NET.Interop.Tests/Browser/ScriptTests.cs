namespace CoAP.Interop.Tests.Browser;

/// <summary>The script that speaks CoAP in a browser, against bytes that were written by hand.</summary>
[Collection("Browser")]
[Trait("Category", "Interop")]
public sealed class ScriptTests(ScriptPage page) : IClassFixture<ScriptPage>
{
    private const string Csm = "00E1";
    private const string OurCsm = "00E123100000";       // 7.01 with Max-Message-Size 0x100000

    [SkippableTheory, Trait("RFC", "8323 4.2")]
    [InlineData("code: '0.01', token: [0x7A], options: [[11, fromHex('68656C6C6F')], [6, []]]", "01017A605568656C6C6F")]
    [InlineData("code: '2.05', payload: [1, 2]", "0045FF0102")]
    [InlineData("code: '4.04', token: [1, 2, 3, 4, 5, 6, 7, 8]", "08840102030405060708")]
    [InlineData("code: '0.01', options: [[12, []]]", "0001C0")]
    [InlineData("code: '0.01', options: [[13, []]]", "0001D000")]
    [InlineData("code: '0.01', options: [[268, []]]", "0001D0FF")]
    [InlineData("code: '0.01', options: [[269, []]]", "0001E00000")]
    [InlineData("code: '0.01', options: [[65535, []]]", "0001E0FEF2")]
    [InlineData("code: '0.01', options: [[11, new Uint8Array(13)]]", "0001BD0000000000000000000000000000")]
    public async Task Writes_and_reads(string message, string bytes)
    {
        var written = await page.EvaluateAsync($"toHex(coap.encode({{ {message} }}))");
        var again = await page.EvaluateAsync($"toHex(coap.encode(coap.decode(fromHex('{bytes}'))))");

        written.Should().Be(bytes);
        again.Should().Be(bytes);
    }

    [SkippableTheory, Trait("RFC", "8323 4.2")]
    [InlineData("", "cut off"), InlineData("00", "cut off"), InlineData("0101", "cut off"), InlineData("004551", "cut off")]
    [InlineData("0045D0", "cut off"), InlineData("0045E000", "cut off"), InlineData("0045FF", "payload")]
    [InlineData("0045F0", "reserved"), InlineData("00450F", "reserved"), InlineData("0945010203040506070809", "token")]
    public async Task Refuses_what_is_no_message(string bytes, string reason)
    {
        var outcome = await page.EvaluateAsync(
            $"{{ try {{ coap.decode(fromHex('{bytes}')); return 'read'; }} catch (error) {{ return error.message; }} }}");

        outcome.Should().Contain(reason);
    }

    [SkippableTheory]
    [InlineData(Csm + " 02E2BEEF", "02E3BEEF")]             // a Ping
    [InlineData(Csm + " 0000", "")]                         // an empty message
    [InlineData(Csm + " 01017A", "01847A")]                 // a request: there is nothing here
    [InlineData(Csm + " 01457A", "")]                       // a response that nobody waits for
    [InlineData(Csm + " 00E12104 00E180", "")]              // elective options that are not understood
    [InlineData(Csm + " 00E4 02E2BEEF", "close")]           // a Release, and what comes too late
    [InlineData(Csm + " 00E5", "close")]                    // an Abort
    [InlineData("02E2BEEF", "00E5* close")]                 // no CSM in front
    [InlineData("00E110", "00E5* close")]                   // a critical option in a signal
    [InlineData(Csm + " 00", "00E5* close")]                // no message
    [Trait("RFC", "8323 5.3"), Trait("RFC", "8323 5.4"), Trait("RFC", "8323 5.6")]
    public async Task Answers_what_the_server_sends(string messages, string answers)
    {
        var said = await SaidAsync("", messages);

        said.Should().Match($"{OurCsm} {answers}".TrimEnd());
    }

    [SkippableTheory]
    [InlineData("get('/a/b%20c?d=1')", Csm + " 044500000001FF4F4B", "040100000001B1610362206343643D31", "2.05 OK")]
    [InlineData("get('/')", Csm + " 048400000001", "040100000001", "4.04 ")]
    [InlineData("get('/')", Csm + " 044500000001D10A00", "040100000001", "*2.05*critical*")]
    [InlineData("get('/')", Csm + " 00E5FF6E6F", "040100000001", "*aborted*no")]
    public async Task Gets(string call, string messages, string request, string outcome)
    {
        const string Say = "answer => socket.said.push(`${answer.code} ${answer.text}`), error => socket.said.push(error.message)";

        var said = await SaidAsync($"connection.{call}.then({Say});", messages);

        said.Should().Match($"*{request}*{outcome}");
    }

    [SkippableTheory, Trait("RFC", "8323 7.1"), Trait("RFC", "8323 7.4")]
    [InlineData("04450000000160FF41 04450000000160FF42", "A B")]                                        // goes on
    [InlineData("04450000000160FF41 044500000001FF42 04450000000160FF43", "A B over")]                  // a response without Observe
    [InlineData("04450000000160FF41 048400000001", "A over")]                                           // an error
    [InlineData("04450000000160FF41 04450000000160D10400", "A 04010000000161015174 failed")]            // Block2: the page leaves
    public async Task Observes_until_the_server_says_no_more(string messages, string states)
    {
        const string Say = "() => socket.said.push('over'), () => socket.said.push('failed')";

        var said = await SaidAsync(
            $"connection.observe('/t', answer => socket.said.push(answer.text)).ended.then({Say});", $"{Csm} {messages}");

        said.Should().Be($"{OurCsm} 040100000001605174 {states}");
    }

    /// <summary>What a connection says when a page makes a call and the server sends messages.</summary>
    private Task<string> SaidAsync(string call, string messages) => page.EvaluateAsync($$"""
        {
          const socket = new WebSocket();
          const connection = new coap.CoapConnection(socket);
          {{call}}
          for (const message of '{{messages}}'.split(' ')) {
            socket.onmessage({ data: fromHex(message).buffer });
            await new Promise(resolve => setTimeout(resolve));
          }
          return socket.said.join(' ');
        }
        """);
}
