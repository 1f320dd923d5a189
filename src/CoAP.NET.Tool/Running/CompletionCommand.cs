using System.CommandLine;

namespace CoAP.Tool.Running;

/// <summary>The command "completion", which prints the script that lets a shell complete command lines.</summary>
internal static class CompletionCommand
{
    private const string Bash = """
        _coap() {
            local IFS=$'\n' line=${COMP_LINE:0:$COMP_POINT}
            COMPREPLY=($(compgen -W "$(coap "[suggest:${#line}]" "$line" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -o default -F _coap coap
        """;

    private const string Zsh = """
        #compdef coap
        _coap() {
            local -a found
            found=("${(@f)$(coap "[suggest:$CURSOR]" "$BUFFER" 2>/dev/null)}")
            compadd -a found
            _files
        }
        compdef _coap coap
        """;

    private const string PowerShell = """
        Register-ArgumentCompleter -Native -CommandName coap -ScriptBlock {
            param($word, $ast, $position)
            coap "[suggest:$position]" "$ast" 2>$null | Where-Object { $_ -like "$word*" } | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
            }
        }
        """;

    public static Command Create(Terminal terminal)
    {
        var shell = new Argument<string>("SHELL") { Description = "bash, zsh or pwsh." };
        shell.AcceptOnlyFromAmong("bash", "zsh", "pwsh");
        var command = new ToolCommand(
            terminal, "completion", "Print the script that lets a shell complete commands and arguments.",
            "coap completion bash >> ~/.bashrc",
            "coap completion zsh > ~/.zfunc/_coap",
            "coap completion pwsh >> $PROFILE");
        command.Add(shell);
        command.Runs((arguments, _) =>
        {
            terminal.Out.WriteLine(arguments.GetRequiredValue(shell) switch { "bash" => Bash, "zsh" => Zsh, _ => PowerShell });
            return Task.FromResult(ExitCode.Success);
        });
        return command;
    }
}
