package statement

import (
	"strings"
	"sync"
)

// english are the words that a page adds to a statement.
const english = `Time limit|Memory limit|CPUs|Input file|Output file|Author|Source|License|Sample input|Sample output|Sample interaction|Read|Write|Input|Output|Remarks|Interaction|Note|Notes|Scoring|Constraints|Subtasks|Explanation|Explanations`

// translated are the same words in other languages.
var translated = map[string]string{
	"da": `Tidsgrænse|Hukommelsesgrænse|Processorer|Inputfil|Outputfil|Forfatter|Kilde|Licens|Eksempel på input|Eksempel på output|Eksempel på interaktion|Læst|Skrevet|Input|Output|Bemærkninger|Interaktion|Note|Noter|Pointgivning|Begrænsninger|Delopgaver|Forklaring|Forklaringer`,
	"de": `Zeitlimit|Speicherlimit|Prozessoren|Eingabedatei|Ausgabedatei|Autor|Quelle|Lizenz|Beispieleingabe|Beispielausgabe|Beispielinteraktion|Gelesen|Geschrieben|Eingabe|Ausgabe|Bemerkungen|Interaktion|Anmerkung|Anmerkungen|Bewertung|Grenzen|Teilaufgaben|Erklärung|Erklärungen`,
	"es": `Límite de tiempo|Límite de memoria|Procesadores|Archivo de entrada|Archivo de salida|Autor|Fuente|Licencia|Ejemplo de entrada|Ejemplo de salida|Ejemplo de interacción|Leído|Escrito|Entrada|Salida|Observaciones|Interacción|Nota|Notas|Puntuación|Restricciones|Subtareas|Explicación|Explicaciones`,
	"fr": `Limite de temps|Limite de mémoire|Processeurs|Fichier d’entrée|Fichier de sortie|Auteur|Source|Licence|Exemple d’entrée|Exemple de sortie|Exemple d’interaction|Lu|Écrit|Entrée|Sortie|Remarques|Interaction|Note|Notes|Barème|Contraintes|Sous-tâches|Explication|Explications`,
	"it": `Limite di tempo|Limite di memoria|Processori|File di input|File di output|Autore|Fonte|Licenza|Esempio di input|Esempio di output|Esempio di interazione|Letto|Scritto|Input|Output|Osservazioni|Interazione|Nota|Note|Punteggio|Vincoli|Subtask|Spiegazione|Spiegazioni`,
	"nb": `Tidsgrense|Minnegrense|Prosessorer|Inndatafil|Utdatafil|Forfatter|Kilde|Lisens|Eksempel på inndata|Eksempel på utdata|Eksempel på interaksjon|Lest|Skrevet|Inndata|Utdata|Merknader|Interaksjon|Merknad|Merknader|Poenggivning|Begrensninger|Deloppgaver|Forklaring|Forklaringer`,
	"pl": `Limit czasu|Limit pamięci|Procesory|Plik wejściowy|Plik wyjściowy|Autor|Źródło|Licencja|Przykładowe wejście|Przykładowe wyjście|Przykładowa interakcja|Odczytane|Wypisane|Wejście|Wyjście|Uwagi|Interakcja|Uwaga|Uwagi|Ocenianie|Ograniczenia|Podzadania|Wyjaśnienie|Wyjaśnienia`,
	"pt": `Limite de tempo|Limite de memória|Processadores|Arquivo de entrada|Arquivo de saída|Autor|Fonte|Licença|Exemplo de entrada|Exemplo de saída|Exemplo de interação|Lido|Escrito|Entrada|Saída|Observações|Interação|Nota|Notas|Pontuação|Restrições|Subtarefas|Explicação|Explicações`,
	"ru": `Ограничение по времени|Ограничение по памяти|Процессоры|Входной файл|Выходной файл|Автор|Источник|Лицензия|Пример входных данных|Пример выходных данных|Пример взаимодействия|Прочитано|Выведено|Входные данные|Выходные данные|Замечания|Взаимодействие|Примечание|Примечания|Система оценки|Ограничения|Подзадачи|Пояснение|Пояснения`,
	"sv": `Tidsgräns|Minnesgräns|Processorer|Indatafil|Utdatafil|Författare|Källa|Licens|Exempel på indata|Exempel på utdata|Exempel på interaktion|Läst|Skrivet|Indata|Utdata|Anmärkningar|Interaktion|Anmärkning|Anmärkningar|Poängsättning|Begränsningar|Deluppgifter|Förklaring|Förklaringar`,
	"uk": `Обмеження часу|Обмеження пам’яті|Процесори|Вхідний файл|Вихідний файл|Автор|Джерело|Ліцензія|Приклад вхідних даних|Приклад вихідних даних|Приклад взаємодії|Прочитано|Виведено|Вхідні дані|Вихідні дані|Зауваження|Взаємодія|Примітка|Примітки|Оцінювання|Обмеження|Підзадачі|Пояснення|Пояснення`,
}

var words = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for language, text := range translated {
		all[language] = map[string]string{}
		list := strings.Split(text, "|")
		for i, word := range strings.Split(english, "|") {
			all[language][word] = list[i]
		}
	}
	return all
})

// say returns one of the words in the language of the document; the English word if it is not known
// there.
func (d *Document) say(word string) string {
	language, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(d.Language), "_", "-"), "-")
	if language == "no" || language == "nn" {
		language = "nb"
	}
	if known, ok := words()[language][word]; ok {
		return known
	}
	return word
}
